// Failures that are nobody's fault among the packages: the registry, the disk, what an earlier run has left.
import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createProcessContext, runNode, withTempDir } from "@codex-js/cli-kit";
import { type FaultRule, startFaultProxy } from "@codex-js/testkit/fault-proxy";
import { canMount } from "@codex-js/testkit/mounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyNothingLeftOut } from "../src/left-out.ts";
import { createProject } from "../src/project.ts";
import { findExternalFailure } from "../src/report.ts";
import { runMatrix } from "../src/run-smokes.ts";
import { findRuntimeDir, type RuntimePlan } from "../src/runtime-plan.ts";
import { provideRuntime, type Runtime } from "../src/runtime-store.ts";
import type { RuntimeSpec } from "../src/runtimes.ts";
import type { SmokeReport } from "../src/types.ts";
import { findWorkspaceTools } from "../src/workspace-tools.ts";
import { type FixtureRegistry, startFixtureRegistry } from "./fixture-registry.ts";

const host = `${process.platform}-${process.arch}`;
const specs: RuntimeSpec[] = [
  { id: "node", kind: "node", version: "workspace", npm: "workspace" },
  { id: "bun", kind: "bun", version: "workspace" },
];
/** As the engine does it: its binary is an optional dependency under another version of its own name. */
const engine = {
  name: "@smoke/engine",
  version: "1.0.0",
  optionalDependencies: { [`@smoke/engine-${host}`]: `npm:@smoke/engine@1.0.0-${host}` },
};
let registry: FixtureRegistry;

beforeAll(async () => {
  registry = await startFixtureRegistry([
    {
      manifest: {
        ...engine,
        version: `1.0.0-${host}`,
        optionalDependencies: {},
        publishConfig: { tag: "host" },
      },
      files: {},
    },
    { manifest: engine, files: {} },
    { manifest: { name: "@codex-js/sdk", version: "0.0.1" }, files: {} },
    { manifest: { name: "smoke-runtime", version: "1.0.0" }, files: { run: "#!/bin/sh\necho 1.0.0\n" } },
  ]);
});

afterAll(() => registry.stop());

interface RunOptions {
  specs?: readonly RuntimeSpec[];
  packages?: { name: string; version: string }[];
  env?: NodeJS.ProcessEnv;
  workDir?: string;
}

/** Smokes through a proxy that misbehaves by plan. */
async function runThrough(dir: string, faults: FaultRule[], options: RunOptions = {}): Promise<SmokeReport> {
  await using proxy = await startFaultProxy(registry.url, faults);
  const context = createProcessContext(new AbortController().signal);
  return await runMatrix(
    { specs: options.specs ?? specs, checks: [] },
    {
      context: { ...context, env: { ...context.env, ...options.env } },
      registryUrl: proxy.url,
      packages: options.packages ?? [{ name: "@smoke/engine", version: "1.0.0" }],
      workDir: options.workDir ?? join(dir, "work"),
      cacheDir: join(dir, "cache"),
    },
  );
}

function summarize({ results }: SmokeReport) {
  return results.map(({ runtime, checks }) => [
    runtime,
    ...checks.map(({ name, code }) => `${name} ${code}`),
  ]);
}

// Package managers leave an optional dependency out without a word.
test("an engine whose binary the registry does not deliver is the registry's fault", async () => {
  await withTempDir("codex-js-smoke-outside", async (dir) => {
    const faults: FaultRule[] = [
      { match: { path: `engine-1\\.0\\.0-${host}\\.tgz` }, fault: { status: 500 } },
    ];
    const report = await runThrough(dir, faults);
    expect(summarize(report)).toEqual([
      ["node", "runtime undefined", "install CODEX_JS_SMOKE_REGISTRY_FAILED"],
      ["bun", "runtime undefined", "install CODEX_JS_SMOKE_REGISTRY_FAILED"],
    ]);
    expect(findExternalFailure(report)?.message).toContain("500");
    expect((await runThrough(dir, [])).results.map(({ ok }) => ok)).toEqual([true, true]);
  });
});

test("a package that the registry does not deliver is the registry's fault", async () => {
  await withTempDir("codex-js-smoke-outside", async (dir) => {
    const faults: FaultRule[] = [{ match: { path: "engine-1\\.0\\.0\\.tgz" }, fault: { status: 401 } }];
    const report = await runThrough(dir, faults);
    expect(summarize(report)).toEqual([
      ["node", "runtime undefined", "install CODEX_JS_SMOKE_REGISTRY_FAILED"],
      ["bun", "runtime undefined", "install CODEX_JS_SMOKE_REGISTRY_FAILED"],
    ]);
  });
});

test("a runtime comes from the registry that is smoked, and without it nothing is known of the packages", async () => {
  await withTempDir("codex-js-smoke-outside", async (dir) => {
    const node22: RuntimeSpec = { id: "node22", kind: "node", version: "22.0.0", npm: "workspace" };
    // Where the user's npm would look.
    const env = { npm_config_registry: "http://127.0.0.1:9/" };
    const faults: FaultRule[] = [{ match: { path: "^/node-" }, fault: { status: 500 } }];
    const report = await runThrough(dir, faults, { specs: [node22], env });
    expect(summarize(report)).toEqual([
      ["node22", "runtime CODEX_JS_SMOKE_REGISTRY_FAILED", "install undefined"],
    ]);
    expect(findExternalFailure(report)?.message).toMatch(/code E500/);
  });
});

test("the command exits 3 for it", async () => {
  await withTempDir("codex-js-smoke-outside", async (dir) => {
    await using proxy = await startFaultProxy(registry.url, [
      { match: { path: "sdk-0\\.0\\.1\\.tgz" }, fault: { status: 503 } },
    ]);
    const cli = join(import.meta.dirname, "..", "src", "cli.ts");
    const args = ["--registry", proxy.url, "--package", "@codex-js/sdk@0.0.1", "--runtime", "bun"];
    const result = await runNode(cli, [...args, "--cache-dir", dir], {
      cwd: dir,
      env: process.env,
      okExitCodes: "any",
    });
    expect(result.exitCode).toBe(3);
    expect(result.stderr).toContain("CODEX_JS_SMOKE_PREVENTED");
  });
});

test("npm and the runtimes leave nothing in the temp folder", async () => {
  await withTempDir("codex-js-smoke-outside", async (dir) => {
    const temp = join(dir, "temp");
    await mkdir(temp);
    const report = await runThrough(dir, [], { env: { TMPDIR: temp, TEMP: temp, TMP: temp } });
    expect(report.results.map(({ ok }) => ok)).toEqual([true, true]);
    expect(await readdir(temp)).toEqual([]);
  });
});

const fetchedPlan: RuntimePlan = {
  id: "fetched",
  kind: "bun",
  version: "1.0.0",
  packageManager: "bun 1.0.0",
  downloads: [{ name: "smoke-runtime", version: "1.0.0" }],
  locate: (dir) => ({ executable: join(dir, "node_modules", "smoke-runtime", "run") }),
};

test.skipIf(process.platform === "win32").each([
  ["is gone", (executable: string) => rm(executable)],
  ["cannot be run", (executable: string) => writeFile(executable, "\u007fELF")],
  ["is another one", (executable: string) => writeFile(executable, "#!/bin/sh\necho 0.9.0\n")],
])("a kept runtime whose program %s is fetched anew", async (_, damage) => {
  await withTempDir("codex-js-smoke-outside", async (cacheDir) => {
    const context = createProcessContext(new AbortController().signal);
    const provide = () => provideRuntime(fetchedPlan, { context, cacheDir, registryUrl: registry.url });
    const first = await provide();
    await damage(first.executable);
    expect(await provide()).toEqual(first);
    expect(await readdir(dirname(findRuntimeDir(fetchedPlan, cacheDir)))).toEqual(["smoke-runtime@1.0.0"]);
  });
});

/** A file system of its own needs root. */
const mayMount = process.platform === "linux" && process.getuid?.() === 0 && canMount();

test.skipIf(!mayMount)("too small a disk for the engine is named before anything is installed", async () => {
  await withTempDir("codex-js-smoke-outside", (dir) =>
    withSmallDisk(join(dir, "small"), async (workDir) => {
      const packages = [{ name: "@codex-js/sdk", version: "0.0.1" }];
      await expect(runThrough(dir, [], { packages, workDir })).rejects.toMatchObject({
        code: "CODEX_JS_SMOKE_DISK_FULL",
        exitCode: 3,
        message: expect.stringContaining(`the disk of ${workDir}: `),
      });
      expect(await readdir(workDir)).toEqual([]);
    }),
  );
});

// npm removes what did not fit, so that the disk is not full any more when anybody looks.
test.skipIf(!mayMount)("an engine left out on too small a disk is the disk's fault", async () => {
  await withTempDir("codex-js-smoke-outside", (dir) =>
    withSmallDisk(join(dir, "small"), async (workDir) => {
      const context = createProcessContext(new AbortController().signal);
      const runtime: Runtime = {
        id: "node",
        kind: "node",
        executable: findWorkspaceTools(process.platform).node.executable,
        version: "1.0.0",
        packageManager: "npm 1.0.0",
      };
      const project = await createProject(join(workDir, "node"), runtime, context);
      const engineDir = join(project.dir, "node_modules", engine.name);
      await mkdir(engineDir, { recursive: true });
      await writeFile(join(engineDir, "package.json"), JSON.stringify(engine));
      const sdk = {
        name: "@codex-js/sdk",
        version: "0.0.1",
        integrity: "sha512-x",
        tarballUrl: registry.url,
        platformBound: false,
      };
      const options = { context, runtime, project, registryUrl: registry.url, packages: [sdk] };
      await expect(verifyNothingLeftOut(options, [engine.name])).rejects.toMatchObject({
        code: "CODEX_JS_SMOKE_DISK_FULL",
        message: expect.stringContaining(project.dir),
      });
    }),
  );
});

async function withSmallDisk(dir: string, use: (dir: string) => Promise<void>): Promise<void> {
  await mkdir(dir);
  execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", dir]);
  try {
    await use(dir);
  } finally {
    execFileSync("/bin/umount", [dir]);
  }
}
