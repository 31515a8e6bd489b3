import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
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
/** Title and code of every section that has an example. */
const examples = readme.split(/^## /m).flatMap((section) => {
  const code = section.match(/^```ts\n(.*?)^```$/ms)?.[1];
  return code === undefined ? [] : [{ title: section.split("\n", 1)[0]!, code }];
});

const output: Record<string, string> = {
  "Quick start": "◆ gpt-5 · /work · ⎇ main · +3 −1 · ▤ 5.0k of 20.0k (25 %) 2\n",
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

function createProject(): string {
  const dir = createTempDir();
  mkdirSync(join(dir, "node_modules/@codex-js"), { recursive: true });
  symlinkSync(packageDir, join(dir, "node_modules/@codex-js/mod-runner"));
  for (const name of ["status-line", "command", "render"]) {
    cpSync(join(examplesDir, name), join(dir, "mods", name), { recursive: true });
  }
  writeFileSync(join(dir, "package.json"), '{"type":"module"}');
  return dir;
}

describe.skipIf(realRunner === undefined)("README's examples", () => {
  test.each(examples)("type-check: $title", async ({ code }) => {
    const dir = createProject();
    writeFileSync(join(dir, "example.ts"), code);
    const args =
      "--strict --noEmit --target es2023 --lib es2024,esnext.disposable,dom --module nodenext --types";
    await run(process.execPath, [tsc, ...args.split(" "), "", "example.ts"], { cwd: dir }).catch(
      ({ stdout, message }: { stdout: string; message: string }) => expect.fail(stdout || message),
    );
  });

  const cases = runtimeNames.flatMap((runtime) => examples.map((example) => ({ ...example, runtime })));
  test.each(cases)("$title on $runtime", async ({ title, code, runtime }) => {
    const dir = createProject();
    writeFileSync(join(dir, "example.ts"), code);
    const env = { ...process.env, NO_COLOR: "1", CODEX_JS_MOD_RUNNER_PATH: realRunner };
    const { stdout, stderr } = await run(executables[runtime], ["example.ts"], {
      cwd: dir,
      env,
      timeout: 50_000,
    });
    // Bun shows arrays in its own way.
    expect({ stdout: stdout.replaceAll(/\[ "(.*)" \]/g, "[ '$1' ]"), stderr }).toEqual({
      stdout: output[title],
      stderr: "",
    });
  });
});
