import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import type { Manifest } from "../src/pack/manifest.ts";
import { writeJson } from "./fixture-workspace.ts";
import { writeReleaseWorkspace } from "./release-workspace.ts";
import { openWorld } from "./release-world.ts";
import { runRelease } from "./run-cli.ts";

const irreversible = ["preflight", "draft", "publish", "announce"];

test(
  "steps that change something outside stop for bytes that no gate has seen, for another commit, and for changes",
  () =>
    withTempDir("codex-js-stale-steps", async (base) => {
      const dir = join(base, "ws");
      mkdirSync(dir);
      await writeReleaseWorkspace(dir, { small: true });
      await using world = await openWorld({ storageDir: join(base, "registry") });
      const run = (step: string) => runRelease(dir, [step, ...world.args], world.env);
      for (const step of ["plan", "build", "pack", "gates"]) {
        const { exitCode, stderr } = await run(step);
        expect([step, exitCode, stderr]).toEqual([step, 0, expect.any(String)]);
      }
      const expectStops = async (steps: readonly string[], said: string) => {
        for (const step of steps) {
          const { exitCode, stderr } = await run(step);
          expect([step, exitCode, stderr]).toEqual([step, 1, expect.stringContaining(said)]);
        }
        const { tags, releases } = world.github.snapshot();
        expect([tags, releases]).toEqual([{}, []]);
      };

      const added = join(dir, "packages", "tool", "src", "new.js");
      writeFileSync(added, "export {};\n");
      await expectStops(irreversible, "CODEX_JS_RELEASE_TREE_DIRTY");
      rmSync(added);

      const git = (...args: string[]) => execFileSync("git", args, { cwd: dir });
      git(
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.invalid",
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "next",
      );
      await expectStops(irreversible, "CODEX_JS_RELEASE_PLAN_STALE");
      git("reset", "-q", "--hard", "HEAD~1");

      const restore = forgeTarball(join(dir, ".release"));
      await expectStops(["preflight", "draft", "publish"], "CODEX_JS_RELEASE_NOT_GATED");
      restore();
      expect(await run("preflight")).toMatchObject({ exitCode: 0 });
    }),
  300_000,
);

/** Other bytes of a tarball, with a manifest that fits them; gives back what puts both right again. */
function forgeTarball(outDir: string): () => void {
  const manifestFile = join(outDir, "manifest.json");
  const text = readFileSync(manifestFile, "utf8");
  const manifest: Manifest = JSON.parse(text);
  const [pkg] = manifest.packages;
  const file = join(outDir, "tarballs", pkg!.filename);
  const bytes = readFileSync(file);
  const forged = gzipSync(gunzipSync(bytes), { level: 1 });
  expect(forged.equals(bytes)).toBe(false);
  writeFileSync(file, forged);
  Object.assign(pkg!, {
    integrity: `sha512-${createHash("sha512").update(forged).digest("base64")}`,
    sha256: createHash("sha256").update(forged).digest("hex"),
    packedBytes: forged.length,
  });
  writeJson(manifestFile, manifest);
  return () => {
    writeFileSync(file, bytes);
    writeFileSync(manifestFile, text);
  };
}
