import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import ts from "@typescript/typescript6";
import { describe, expect, test } from "vitest";
import { limits } from "../../generated/limits.ts";
import { defaultLimits } from "../../src/options.ts";
import { defaultPool } from "../../src/pool/pool-options.ts";
import { listedCodes } from "../listed-codes.ts";
import { executables, runtimeNames } from "../runtimes/runtimes.ts";
import { createTempDir } from "../temp-dir.ts";
import { examplesDir, realRunner } from "./real-runner.ts";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
const packageDir = join(import.meta.dirname, "../..");
const readme = readFileSync(join(packageDir, "README.md"), "utf8");
const fenced = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(([, text]) => text!);
/** The one that a reader has before anything else. */
const firstExample = fenced("js")[0]!;
const tsconfig = fenced("json").find((text) => text.includes("compilerOptions"))!;
/** Title and code of every section that has an example which takes mods from a folder. */
const examples = readme.split(/^## /m).flatMap((section) => {
  const code = section.match(/^```ts\n(.*?)^```$/ms)?.[1];
  return code === undefined ? [] : [{ title: section.split("\n", 1)[0]!, code }];
});

const output: Record<string, string> = {
  "Mods in folders": "◆ gpt-5 · /work · ⎇ main · +3 −1 · ▤ 5.0k of 20.0k (25 %) 2\n",
  "What a mod may do": "# Since v1\n\n## Mended\n\n- something after v1 (0123456)\n\n",
  "Many calls of one mod": "[ 'a (2 times)' ] false\n[ 'a (2 times)' ] true\n[ 'b' ] false\n",
  "Errors and limits": "mod_timeout raise budgetMs, or do less in one callback\n",
};

test("README's examples are the ones tested here", () => {
  expect(examples.map(({ title }) => title)).toEqual(Object.keys(output));
});

test("README has every error code, and no other", () => {
  const table = [...readme.matchAll(/^\| `([a-z_]+)` +\|/gm)].map(([, code]) => code!);
  expect(table.filter((code) => code.includes("_")).sort()).toEqual([...listedCodes].sort());
});

test("README has the limits that there are", () => {
  const mib = (bytes: number) => `${bytes / 2 ** 20} MiB`;
  expect(readme.replaceAll(/\s+/g, " ")).toContain(
    `${mib(limits.heapBytes)} of objects, and ${mib(limits.dataBytes)} of data`,
  );
  expect(readme).toMatch(
    new RegExp(`^\\| \`limits\\.memoryBytes\` .*at least ${mib(limits.heapBytes)} `, "m"),
  );
  const row = (name: string) => readme.match(new RegExp(`^\\| \`${name}\` +\\| ([^|]*?) +\\|`, "m"))?.[1];
  const { budgetMs, memoryBytes, startMs, codeCacheBytes } = defaultLimits;
  expect(
    ["budgetMs", "memoryBytes", "startMs", "codeCacheBytes"].map((name) => row(`limits.${name}`)),
  ).toEqual([
    budgetMs.toLocaleString("en"),
    mib(memoryBytes),
    startMs.toLocaleString("en"),
    mib(codeCacheBytes),
  ]);
  const pool = Object.entries(defaultPool);
  expect(pool.map(([name]) => row(`pool.${name}`))).toEqual(
    pool.map(([, value]) => value.toLocaleString("en")),
  );
});

/** What is there after `npm install`, of Node's types as well. */
function createEmptyProject(): string {
  const dir = createTempDir();
  for (const scope of ["@codex-js", "@types"])
    mkdirSync(join(dir, "node_modules", scope), { recursive: true });
  symlinkSync(packageDir, join(dir, "node_modules/@codex-js/mod-runner"));
  symlinkSync(dirname(require.resolve("@types/node/package.json")), join(dir, "node_modules/@types/node"));
  return dir;
}

function createProject(): string {
  const dir = createEmptyProject();
  for (const name of ["status-line", "command", "render"]) {
    cpSync(join(examplesDir, name), join(dir, "mods", name), { recursive: true });
  }
  writeFileSync(join(dir, "package.json"), '{"type":"module"}');
  return dir;
}

const env = { ...process.env, NO_COLOR: "1", CODEX_JS_MOD_RUNNER_PATH: realRunner };

/** Bun shows objects and arrays in its own way. */
const shownByNode = (text: string) =>
  text.replaceAll(/\[ "(.*)" \]/g, "[ '$1' ]").replaceAll(/\{\n {2}text: "(.*)",\n\}/g, "{ text: '$1' }");

describe.skipIf(realRunner === undefined)("README's first example", () => {
  test.each(runtimeNames)("runs in an empty folder on %s", async (runtime) => {
    const dir = createEmptyProject();
    writeFileSync(join(dir, "first.mjs"), firstExample);
    const { stdout, stderr } = await run(executables[runtime], ["first.mjs"], {
      cwd: dir,
      env,
      timeout: 50_000,
    });
    expect(stderr).toBe("");
    const shown = shownByNode(stdout).trimEnd();
    expect(readme).toContain(`prints \`${shown}\``);
  });

  test("has nothing in it that Node 20 does not read", () => {
    const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, removeComments: true };
    const emit = (code: string, target: ts.ScriptTarget) =>
      ts.transpileModule(code, { compilerOptions: { ...options, target } }).outputText;
    expect(emit(firstExample, ts.ScriptTarget.ES2022)).toBe(emit(firstExample, ts.ScriptTarget.ESNext));
  });
});

describe.skipIf(realRunner === undefined)("README's examples", () => {
  test.each(examples)("type-check with README's tsconfig.json: $title", async ({ code }) => {
    const dir = createProject();
    writeFileSync(join(dir, "example.ts"), code);
    writeFileSync(join(dir, "tsconfig.json"), tsconfig);
    await run(process.execPath, [tsc, "-p", "."], { cwd: dir }).catch(
      ({ stdout, message }: { stdout: string; message: string }) => expect.fail(stdout || message),
    );
    // What it writes is for versions of Node that know no `using`.
    expect(readFileSync(join(dir, "example.js"), "utf8")).not.toMatch(/^\s*(await )?using /m);
  });

  test("the package's declarations need no library but a target's own", async () => {
    const dir = createProject();
    const code =
      'import { createModHost } from "@codex-js/mod-runner";\nawait using host = createModHost();\n';
    writeFileSync(join(dir, "example.ts"), code);
    const args = "--strict --noEmit --target es2023 --module nodenext --skipLibCheck false --types";
    await run(process.execPath, [tsc, ...args.split(" "), "", "example.ts"], { cwd: dir }).catch(
      ({ stdout, message }: { stdout: string; message: string }) => expect.fail(stdout || message),
    );
  });

  const cases = runtimeNames.flatMap((runtime) => examples.map((example) => ({ ...example, runtime })));
  test.each(cases)("$title on $runtime", async ({ title, code, runtime }) => {
    const dir = createProject();
    writeFileSync(join(dir, "example.ts"), code);
    const { stdout, stderr } = await run(executables[runtime], ["example.ts"], {
      cwd: dir,
      env,
      timeout: 50_000,
    });
    expect({ stdout: shownByNode(stdout), stderr }).toEqual({
      stdout: output[title],
      stderr: "",
    });
  });
});

test.skipIf(realRunner === undefined)(
  "the commands of the example mods' README work in this repository",
  async () => {
    const text = readFileSync(join(examplesDir, "README.md"), "utf8");
    const commands = text.match(/^```sh\n(.*?)^```$/ms)![1]!;
    const { stdout } = await run("sh", ["-ec", commands], {
      cwd: join(packageDir, "../.."),
      env,
      timeout: 50_000,
    });
    expect(stdout).toContain("status-line 1.0.0 is fine");
    expect(stdout).toContain('"text": "◆ gpt-5 · /work · ⎇ main');
  },
);
