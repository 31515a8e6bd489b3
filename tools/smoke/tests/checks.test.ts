// The checks for real: the engine, the mock model, the native compiler, Node and Bun. What stands in
// node_modules under our packages' names is the official SDK and launcher, whose contract ours keep, or a
// package that is broken in one way.
import { chmod, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { describe, expect, test } from "vitest";
import type { Check } from "../src/checks/check.ts";
import { launcherTurnCheck } from "../src/checks/launcher-turn.ts";
import { sdkTurnCheck } from "../src/checks/sdk-turn.ts";
import { typesCheck } from "../src/checks/types-check.ts";
import { createProject, type Project } from "../src/project.ts";
import type { Runtime } from "../src/runtime-store.ts";
import { findWorkspaceTools } from "../src/workspace-tools.ts";

const workspace = findWorkspaceTools(process.platform);
const signal = new AbortController().signal;
const runtimes: Runtime[] = [
  {
    id: "node24",
    kind: "node",
    executable: workspace.node.executable,
    npmCli: workspace.npm.cli,
    version: workspace.node.version,
    packageManager: `npm ${workspace.npm.version}`,
  },
  {
    id: "bun",
    kind: "bun",
    executable: workspace.bun.executable,
    version: workspace.bun.version,
    packageManager: `bun ${workspace.bun.version}`,
  },
];
const node24 = runtimes[0]!;

const require = createRequire(import.meta.url);
const engineDir = dirname(require.resolve("@openai/codex/package.json"));
const officialSdkDir = dirname(findPackageJSON("@openai/codex-sdk", import.meta.url)!);
const { version: engineVersion } = require("@openai/codex/package.json") as { version: string };

/** Fills node_modules, runs the check, and returns what it failed with. */
async function runCheck(
  check: Check,
  fill: (project: Project) => Promise<void>,
  runtime = node24,
): Promise<Error | undefined> {
  return withTempDir("codex-js-smoke-checks", async (dir) => {
    const project = await createProject(dir, runtime, { env: process.env, signal });
    await mkdir(join(project.dir, "node_modules", "@openai"), { recursive: true });
    await symlink(engineDir, join(project.dir, "node_modules", "@openai", "codex"), "junction");
    await fill(project);
    return check.run({ runtime, project, workspace, signal }).then(
      () => undefined,
      (error: Error) => error,
    );
  });
}

async function addPackage(
  project: Project,
  manifest: Record<string, unknown>,
  files: Record<string, string>,
) {
  const dir = join(project.dir, "node_modules", manifest.name as string);
  const all = { ...files, "package.json": JSON.stringify({ version: "1.0.0", type: "module", ...manifest }) };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return dir;
}

const sdkManifest = {
  name: "@codex-js/sdk",
  exports: { ".": { types: "./index.d.ts", import: "./index.js" } },
};

async function addOfficialSdk(project: Project, edit: (file: string, text: string) => string): Promise<void> {
  const dir = await addPackage(project, sdkManifest, {});
  for (const file of ["index.js", "index.d.ts"]) {
    const text = await readFile(join(officialSdkDir, "dist", file), "utf8");
    await writeFile(join(dir, file), edit(file, text));
  }
}

describe("types", () => {
  const declarations = (edit: (text: string) => string) => (project: Project) =>
    addOfficialSdk(project, (file, text) => (file === "index.d.ts" ? edit(text) : text));
  const selfContained = (text: string) =>
    text.replace(/^import .*ContentBlock.*$/m, "type ContentBlock = unknown;");

  test("the contract's declarations compile in every resolution", async () => {
    expect(await runCheck(typesCheck, declarations(selfContained))).toBeUndefined();
  });

  // What the official SDK has published: its declarations import a package that is no dependency of it.
  test("declarations that import what is not installed fail", async () => {
    const error = await runCheck(
      typesCheck,
      declarations((text) => text),
    );
    expect(error).toMatchObject({
      code: "CODEX_JS_SMOKE_MISMATCH",
      message: expect.stringMatching(/does not compile \(nodenext-node\):\n.*TS2307.*modelcontextprotocol/s),
    });
  });

  test("declarations that are any fail", async () => {
    const names =
      "CodexOptions Input SandboxMode ThreadEvent ThreadItem ThreadOptions TurnOptions Usage".split(" ");
    const anything = [
      ...["Codex", "Thread"].map((name) => `export declare const ${name}: any; export type ${name} = any;`),
      ...names.map((name) => `export type ${name} = any;`),
    ];
    const error = await runCheck(
      typesCheck,
      declarations(() => anything.join("\n")),
    );
    expect(error?.message).toMatch(/TS2322.*TS2578/s);
  });

  test("declarations that lack an event fail", async () => {
    const error = await runCheck(
      typesCheck,
      declarations((text) =>
        selfContained(text).replace("TurnCompletedEvent | TurnFailedEvent", "TurnFailedEvent"),
      ),
    );
    expect(error?.message).toMatch(/TS2678.*"turn\.completed"/);
  });
});

describe.each(runtimes)("sdk turn on $id", (runtime) => {
  const program = (edit: (text: string) => string) => (project: Project) =>
    addOfficialSdk(project, (file, text) => (file === "index.js" ? edit(text) : text));

  test("two turns of the official SDK pass", async () => {
    const error = await runCheck(
      sdkTurnCheck,
      program((text) => text),
      runtime,
    );
    expect(error).toBeUndefined();
  });

  test("another answer than the model's fails", async () => {
    const error = await runCheck(
      sdkTurnCheck,
      program((text) => text.replaceAll("finalResponse = ", "finalResponse = 'not ' + ")),
      runtime,
    );
    expect(error).toMatchObject({
      code: "CODEX_JS_SMOKE_MISMATCH",
      message: `the second turn's answer: expected "mock: And then?", received "not mock: And then?"`,
    });
  });

  test("a program that crashes fails with its last output", async () => {
    const error = await runCheck(
      sdkTurnCheck,
      program(() => "export class Codex {}\nthrow new Error('cannot load');"),
      runtime,
    );
    expect(error).toMatchObject({
      code: "CODEX_JS_PROCESS_FAILED",
      message: expect.stringMatching(/exited with code 1\n.*cannot load/s),
    });
  });
});

describe.each(runtimes)("launcher turn on $id", (runtime) => {
  const launcherManifest = {
    name: "@codex-js/cli",
    bin: { codex: "bin/codex.js" },
    dependencies: { "@openai/codex": engineVersion },
  };
  const launcher =
    (text: string, manifest: Record<string, unknown> = launcherManifest) =>
    async (project: Project) => {
      const dir = await addPackage(project, manifest, { "bin/codex.js": `#!/usr/bin/env node\n${text}\n` });
      await chmod(join(dir, "bin", "codex.js"), 0o755);
      await linkBin(project);
    };
  const official = `import "@openai/codex/bin/codex.js";`;

  test("the official launcher passes", async () => {
    expect(await runCheck(launcherTurnCheck, launcher(official), runtime)).toBeUndefined();
  });

  test("another engine than the pinned one fails", async () => {
    const manifest = { ...launcherManifest, dependencies: { "@openai/codex": "0.1.0" } };
    expect(await runCheck(launcherTurnCheck, launcher(official, manifest), runtime)).toMatchObject({
      message: `codex --version: expected "codex-cli 0.1.0", received "codex-cli ${engineVersion}"`,
    });
  });

  test("an exit code that is not mirrored fails", async () => {
    const swallow = `
      import { spawnSync } from "node:child_process";
      const engine = ${JSON.stringify(join(engineDir, "bin", "codex.js"))};
      spawnSync(process.execPath, [engine, ...process.argv.slice(2)], { stdio: "inherit" });`;
    expect(await runCheck(launcherTurnCheck, launcher(swallow), runtime)).toMatchObject({
      message: "the exit code for an unknown flag: expected [2,null], received [0,null]",
    });
  });

  test("another answer than the model's fails", async () => {
    const edit = `process.argv = process.argv.map((arg) => arg.replace("What", "Who"));\nawait ${official.replace(/import (.*);/, "import($1)")};`;
    expect(await runCheck(launcherTurnCheck, launcher(edit), runtime)).toMatchObject({
      message: `the launched engine's answer: expected "mock: What does ${runtime.id} launch?", received "mock: Who does ${runtime.id} launch?"`,
    });
  });

  test.skipIf(process.platform === "win32")("a link to the engine's own bin fails", async () => {
    const fill = async (project: Project) => {
      await launcher(official)(project);
      await linkBin(project, "../@openai/codex/bin/codex.js");
    };
    expect((await runCheck(launcherTurnCheck, fill, runtime))?.message).toMatch(
      /^where node_modules\/\.bin\/codex leads/,
    );
  });
});

/** What a package manager makes of `bin`. */
async function linkBin(project: Project, target = "../@codex-js/cli/bin/codex.js"): Promise<void> {
  const binDir = join(project.dir, "node_modules", ".bin");
  await mkdir(binDir, { recursive: true });
  if (process.platform === "win32") {
    await writeFile(join(binDir, "codex.cmd"), `@node "%~dp0\\${target.replaceAll("/", "\\")}" %*\r\n`);
    return;
  }
  await rm(join(binDir, "codex"), { force: true });
  await symlink(target, join(binDir, "codex"));
}
