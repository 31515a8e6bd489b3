import { accessSync, constants, readFileSync } from "node:fs";
import { locateEngine } from "@codex-js/platforms";
import { createTempDir } from "@codex-js/platforms/testing";
import { describe, expect, test } from "vitest";
import { builtScript, run, runtimes } from "./launcher-process.ts";

describe.each(runtimes)("$name", ({ command, isMissing }) => {
  const engine = locateEngine(import.meta.url);

  test.skipIf(isMissing).each([
    [["--version"], 0],
    [["--no-such-flag"], 2],
    [["login", "status"], 1],
  ])("codex %j does what the engine itself does", (args, status) => {
    const env = { CODEX_HOME: createTempDir() };
    const [direct, launched] = [[engine.executablePath], [...command, builtScript]].map((program) =>
      run([...program, ...args], { env }),
    );
    const summarize = (result: typeof direct) => [
      result?.status,
      result?.stdout.toString(),
      result?.stderr.toString(),
    ];
    expect(summarize(launched)).toEqual(summarize(direct));
    expect(launched?.status).toBe(status);
  });
});

test("the built file can be run by its name", () => {
  expect(readFileSync(builtScript, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  accessSync(builtScript, constants.X_OK);
});

test("a start that succeeds reads one file, which loads nothing but Node's own modules", () => {
  const imports = [...readFileSync(builtScript, "utf8").matchAll(/^import .* from "(.+)";$/gm)].map(
    ([, specifier]) => specifier,
  );
  expect(imports).not.toHaveLength(0);
  expect(imports.filter((specifier) => !specifier?.startsWith("node:"))).toEqual([]);
});
