import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { writeFixtureWorkspace } from "./fixture-workspace.ts";
import { runRelease } from "./run-cli.ts";

test("a whole run says where things are; the step alone afterwards names the step that it needs", () =>
  withTempDir("codex-js-release-smoke", async (base) => {
    const [dir, temp] = [join(base, "ws"), join(base, "tmp")];
    for (const folder of [dir, temp]) mkdirSync(folder);
    await writeFixtureWorkspace(dir);
    const env = { TMPDIR: temp, TEMP: temp, TMP: temp };
    const outDir = join(dir, ".release");
    const bun = ["--runtime", "bun"];

    const whole = await runRelease(dir, bun, env);
    expect(whole.exitCode).toBe(0);
    expect(whole.stdout).toMatch(
      new RegExp(`\ntarballs: ${join(outDir, "tarballs")}\nreport: ${join(outDir, "report.json")}\n$`),
    );
    // Who reads a log sees each runtime when it is done.
    expect(whole.stderr).toMatch(/^… Smoke\n {2}✓ bun \(.*\)\n✓ Smoke: bun/m);
    expect(readdirSync(temp)).toEqual([]);

    // Its registry is gone.
    const early = await runRelease(dir, ["smoke", ...bun], env);
    expect([early.exitCode, early.stdout]).toEqual([2, ""]);
    expect(early.stderr).toContain("CODEX_JS_RELEASE_NOT_PUBLISHED");
    expect(early.stderr).toContain("fix: pnpm release publish");

    const published = await runRelease(dir, ["publish"], env);
    expect(published.exitCode).toBe(0);
    expect(published.stdout).toContain("on the rehearsal's registry");
    expect(published.stdout).not.toContain("127.0.0.1");
    const smoked = await runRelease(dir, ["smoke", ...bun], env);
    expect(smoked.exitCode).toBe(0);
    // The table ends its last line.
    expect(smoked.stdout).toMatch(/^runtime .*\n[\s\S]*\n$/);
    expect(readdirSync(temp)).toEqual([]);
  }));
