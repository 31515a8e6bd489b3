import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { defaultStateDir, openSharedPlace } from "./shared-place.ts";

let dir: string;
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), "codex-js-place-")));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe.skipIf(process.platform === "win32")("the place of a shared server", () => {
  test("is that of the CODEX_HOME, whatever way leads to it", async () => {
    const home = join(dir, "home");
    await mkdir(join(home, ".codex"), { recursive: true });
    await symlink(home, join(dir, "link"));
    const open = async (env: Record<string, string>) => (await openSharedPlace(env, join(dir, "state"))).dir;
    const place = await open({ CODEX_HOME: join(home, ".codex") });
    expect(await open({ HOME: home, TMPDIR: "/elsewhere", XDG_RUNTIME_DIR: "/elsewhere" })).toBe(place);
    expect(await open({ HOME: "/nowhere", CODEX_HOME: join(dir, "link", ".codex") })).toBe(place);
    expect(await open({ HOME: dir })).not.toBe(place);
  });

  test("has paths that fit into a socket's address, of 104 bytes on macOS", () => {
    const longest = `${defaultStateDir()}/${"0".repeat(16)}/replacing`;
    expect(longest.length).toBeLessThan(104);
  });
});
