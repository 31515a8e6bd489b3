import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { startRegistry } from "@codex-js/testkit/registry";
import { expect, test } from "vitest";
import { publishWithNpm } from "../src/targets/npm-cli.ts";
import { writeFixtureWorkspace, writeJson } from "./fixture-workspace.ts";
import { runRelease } from "./run-cli.ts";
import { createTestContext } from "./test-context.ts";

test("no network: the registry that was asked is named, and the same command works when it is back", () =>
  withTempDir("codex-js-release-offline", async (base) => {
    const dir = join(base, "ws");
    mkdirSync(dir);
    await writeFixtureWorkspace(dir, { external: true });
    const args = ["--json", "--runtime", "bun", "--registry-dir", join(base, "registry")];
    // Nothing listens on the discard port.
    const offline = await runRelease(dir, args, { npm_config_registry: "http://127.0.0.1:9/" });
    expect([offline.exitCode, JSON.parse(offline.stdout)]).toEqual([
      3,
      expect.objectContaining({
        ok: false,
        packages: [
          expect.objectContaining({ name: "@fixture/core", state: "published" }),
          expect.objectContaining({ name: "@fixture/app", state: "published" }),
        ],
        error: {
          code: "CODEX_JS_RELEASE_UPLINK_FAILED",
          message: expect.stringContaining("http://127.0.0.1:9/external-thing"),
          hint: expect.stringContaining("`pnpm release` works again"),
        },
      }),
    ]);

    await using registry = await startRegistry({ storageDir: join(base, "outside"), uplink: null });
    await publishExternalThing(join(base, "thing"), registry.url, registry.npmrc());
    const online = await runRelease(dir, args, { npm_config_registry: registry.url });
    expect([online.exitCode, JSON.parse(online.stdout)]).toEqual([
      0,
      expect.objectContaining({ ok: true, packages: [alreadyThere, alreadyThere] }),
    ]);
  }));

const alreadyThere = expect.objectContaining({ state: "already-there" });

async function publishExternalThing(dir: string, url: string, npmrc: string): Promise<void> {
  writeJson(join(dir, "package.json"), { name: "external-thing", version: "1.0.0", main: "index.js" });
  writeFileSync(join(dir, "index.js"), "");
  const options = {
    context: createTestContext(),
    registryUrl: url.replace(/\/$/, ""),
    workDir: join(dir, "npm"),
    npmrc,
  };
  await publishWithNpm(options, {
    name: "external-thing",
    version: "1.0.0",
    tarballFile: dir,
    tag: "latest",
  });
}

/** A file system of its own needs root; where nobody may mount one, the unit test of the message stands alone. */
const mayMount = process.platform === "linux" && process.getuid?.() === 0 && canMount();

test.skipIf(!mayMount)("a full disk: its folder is named, and with space the same command works", () =>
  withTempDir("codex-js-release-full", async (base) => {
    const dir = join(base, "ws");
    const out = join(base, "out");
    mkdirSync(dir);
    mkdirSync(out);
    await writeFixtureWorkspace(dir);
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=48k", "tmpfs", out]);
    try {
      const args = ["--json", "--runtime", "bun", "--out", out, "--registry-dir", join(base, "registry")];
      const full = await runRelease(dir, args);
      expect(full.exitCode).toBe(3);
      expect(full.stderr).toContain(`no space left on the disk of ${out}`);
      expect(full.stderr).toContain("CODEX_JS_RELEASE_DISK_FULL");
      execFileSync("/bin/mount", ["-o", "remount,size=64m", out]);
      expect(await runRelease(dir, args)).toMatchObject({ exitCode: 0 });
    } finally {
      execFileSync("/bin/umount", [out]);
    }
  }),
);

function canMount(): boolean {
  try {
    execFileSync("/usr/bin/unshare", ["--mount", "/bin/mount", "-t", "tmpfs", "tmpfs", "/mnt"], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}
