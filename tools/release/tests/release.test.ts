import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isProcessAlive, withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import type { ReleaseReport } from "../src/report/report.ts";
import { commitAll, writeFixtureWorkspace } from "./fixture-workspace.ts";
import { runRelease } from "./run-cli.ts";

/** A fixture workspace, a folder for a kept registry, and a TMPDIR in which leftovers would show. */
interface Scene {
  dir: string;
  registryDir: string;
  tempDir: string;
}

function inScene(use: (scene: Scene) => Promise<void>): () => Promise<void> {
  return () =>
    withTempDir("codex-js-release-e2e", async (base) => {
      const scene = {
        dir: join(base, "ws"),
        registryDir: join(base, "ws", "kept"),
        tempDir: join(base, "tmp"),
      };
      mkdirSync(scene.tempDir);
      mkdirSync(scene.dir);
      await writeFixtureWorkspace(scene.dir);
      await use(scene);
    });
}

/** bun is a dependency of this repository and installs packages without dependencies: no network needed. */
function runAll({ dir, registryDir, tempDir }: Scene, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const all = ["--json", "--runtime", "bun", "--registry-dir", registryDir, ...args];
  return runRelease(dir, all, { ...tempEnv(tempDir), ...env });
}

function summarize({ ok, packages, gates, smokes, steps }: ReleaseReport) {
  return {
    ok,
    packages: packages.map(({ name, version, state }) => `${name}@${version} ${state}`),
    gates: gates.map(({ name, status }) => `${name} ${status}`),
    smokes: smokes.map((smoke) => `${smoke.runtime} ${smoke.ok}`),
    steps: steps.map(({ name, status }) => `${name} ${status}`),
  };
}

function tempEnv(dir: string): NodeJS.ProcessEnv {
  return { TMPDIR: dir, TEMP: dir, TMP: dir };
}

const passedGates = ["manifest", "publint", "attw", "size", "typecheck", "api"].map(
  (name) => `${name} passed`,
);
const passedSteps = ["plan", "stage", "build", "pack", "gates", "publish", "smoke"].map(
  (name) => `${name} passed`,
);

test(
  "the whole rehearsal; again; again with other bytes",
  inScene(async (scene) => {
    const { dir, tempDir } = scene;
    // A dirty tree: a change, a new file, a deleted one.
    writeFileSync(join(dir, "packages", "core", "README.md"), "# changed\n");
    writeFileSync(join(dir, "packages", "core", "src", "more.js"), "export {};\n");
    commitAll(dir);
    writeFileSync(join(dir, "packages", "core", "src", "new.js"), "export {};\n");
    rmSync(join(dir, "packages", "core", "src", "more.js"));
    writeFileSync(join(dir, "packages", "app", "src", "index.js"), "export const name = 'dirty';\n");
    const before = readTree(dir);

    const first = await runAll(scene);
    const report: ReleaseReport = JSON.parse(first.stdout);
    expect(summarize(report)).toEqual({
      ok: false,
      packages: ["@fixture/core@1.1.0 packed", "@fixture/app@1.0.0 packed"],
      gates: passedGates.map((gate) => gate.replace("size passed", "size failed")),
      smokes: [],
      steps: [...passedSteps.slice(0, 4), "gates failed"],
    });
    // The new file is packed, and no budget knows it.
    expect([first.exitCode, report.error?.code]).toEqual([1, "CODEX_JS_RELEASE_GATES_FAILED"]);
    expect(report.error?.message).toContain("dist/new.js");
    expect(readTree(dir)).toEqual(before);
    rmSync(join(dir, "packages", "core", "src", "new.js"));
    before.delete("packages/core/src/new.js");

    const second = await runAll(scene);
    expect(second).toMatchObject({ exitCode: 0 });
    const published: ReleaseReport = JSON.parse(second.stdout);
    expect(summarize(published)).toEqual({
      ok: true,
      packages: ["@fixture/core@1.1.0 published", "@fixture/app@1.0.0 published"],
      gates: passedGates,
      smokes: ["bun true"],
      steps: passedSteps,
    });
    expect(published).toMatchObject({
      version: 1,
      dirty: true,
      packages: [{ integrity: expect.stringMatching(/^sha512-/), packedBytes: expect.any(Number) }, {}],
    });

    const third = await runAll(scene);
    expect(summarize(JSON.parse(third.stdout)).packages).toEqual([
      "@fixture/core@1.1.0 already-there",
      "@fixture/app@1.0.0 already-there",
    ]);

    const preview = await runAll(scene, ["--dry-run"]);
    expect(JSON.parse(preview.stdout).packages).toMatchObject([
      { registry: { state: "there", integrity: published.packages[0]!.integrity } },
      { registry: { state: "there" } },
    ]);
    expect(readTree(dir)).toEqual(before);
    writeFileSync(join(dir, "packages", "app", "src", "index.js"), "export const name = 'other';\n");
    const fourth = await runAll(scene);
    expect([fourth.exitCode, JSON.parse(fourth.stdout).error.code]).toEqual([
      1,
      "CODEX_JS_RELEASE_VERSION_CONFLICT",
    ]);
    expect(readdirSync(tempDir)).toEqual([]);
    expect(existsSync(join(dir, ".release", "staging"))).toBe(false);
  }),
  180_000,
);

test(
  "step by step, each from the files of the one before",
  inScene(async (scene) => {
    const run = (...args: string[]) =>
      runRelease(scene.dir, args, tempEnv(scene.tempDir)).then(({ exitCode, stderr }) => ({
        exitCode,
        stderr,
      }));
    const done = { exitCode: 0 };
    for (const step of ["plan", "build", "pack"]) expect(await run(step)).toMatchObject(done);
    // The gates have not run, so nothing may be published.
    expect(await run("publish")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("release gates"),
    });
    for (const step of ["gates", "publish"]) expect(await run(step)).toMatchObject(done);
    expect(await run("smoke", "--runtime", "bun")).toMatchObject(done);
    // Another plan begins anew.
    expect(await run("plan")).toMatchObject(done);
    expect(await run("pack")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("release build"),
    });
    writeFileSync(join(scene.dir, ".changeset", "late.md"), '---\n"@fixture/app": major\n---\n\nLate.\n');
    expect(await run("build")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("CODEX_JS_RELEASE_PLAN_STALE"),
    });
  }),
  180_000,
);

test(
  "a build that fails passes on what it said and its remedy; mended, the same command works",
  inScene(async (scene) => {
    const build = join(scene.dir, "packages", "core", "build.js");
    const good = readFileSync(build, "utf8");
    writeFileSync(
      build,
      `console.error("error: no engine here\\n  fix: chmod +x engine");\nprocess.exit(3);\n`,
    );
    const failed = await runAll(scene);
    expect([failed.exitCode, JSON.parse(failed.stdout).error]).toEqual([
      3,
      {
        code: "CODEX_JS_RELEASE_BUILD_FAILED",
        message: expect.stringContaining("error: no engine here"),
        hint: "chmod +x engine",
      },
    ]);
    writeFileSync(build, good);
    expect(await runAll(scene)).toMatchObject({ exitCode: 0 });
  }),
  180_000,
);

test.skipIf(process.platform === "win32")(
  "interrupted while it builds: no process, no staging copy, no temp folder stays; then it works",
  inScene(async (scene) => {
    const { dir, registryDir, tempDir } = scene;
    const pidFile = join(dir, "..", "pid");
    const build = join(dir, "packages", "core", "build.js");
    const good = readFileSync(build, "utf8");
    const hang = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(pidFile)}, String(process.pid));\nsetInterval(() => {}, 1000);\n`;
    writeFileSync(build, hang);
    const cli = join(import.meta.dirname, "..", "src", "cli.ts");
    const child = spawn(process.execPath, [cli, "--registry-dir", registryDir], {
      cwd: dir,
      env: { ...process.env, ...tempEnv(tempDir) },
      stdio: "ignore",
    });
    const buildPid = await waitForPid(pidFile);
    child.kill("SIGINT");
    const [exitCode] = await once(child, "exit");
    expect(exitCode).toBe(130);
    expect(isProcessAlive(buildPid)).toBe(false);
    expect(readdirSync(tempDir)).toEqual([]);
    expect(existsSync(join(dir, ".release", "staging"))).toBe(false);
    expect(existsSync(join(dir, ".release", "lock.json"))).toBe(false);
    writeFileSync(build, good);
    expect(await runAll(scene)).toMatchObject({ exitCode: 0 });
  }),
  180_000,
);

/** Every file of the working tree that git could see, and what is in it. */
function readTree(dir: string): Map<string, string> {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: dir,
  });
  const paths = listed
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(dir, path)));
  return new Map(
    paths.map((path) => [
      path,
      `${lstatSync(join(dir, path)).mtimeMs} ${readFileSync(join(dir, path), "latin1")}`,
    ]),
  );
}

async function waitForPid(file: string): Promise<number> {
  for (;;) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (text !== "") return Number(text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
