import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { writeReleaseWorkspace } from "./release-workspace.ts";
import { openWorld } from "./release-world.ts";
import { runRelease } from "./run-cli.ts";

const broken = "0123456789abcdef0123456789abcdef01234567\nx";

test.each([
  ["GITHUB_TOKEN", "CODEX_JS_RELEASE_GITHUB_BAD_TOKEN"],
  ["NODE_AUTH_TOKEN", "CODEX_JS_RELEASE_NPM_AUTH"],
])("%s with a line break is refused before anybody is asked, and not shown", (variable, code) =>
  withTempDir("codex-js-bad-token", async (base) => {
    const dir = join(base, "ws");
    mkdirSync(dir);
    await writeReleaseWorkspace(dir, { small: true });
    await using world = await openWorld({ storageDir: join(base, "registry") });
    const { exitCode, stdout, stderr } = await runRelease(dir, ["status", ...world.args], {
      ...world.env,
      [variable]: broken,
    });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(code)]);
    expect(stdout + stderr).not.toContain(broken.slice(0, 12));
    expect(world.github.requests).toEqual([]);
  }),
);
