import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ToolError } from "@codex-js/cli-kit";
import { findBuiltRunner } from "@codex-js/platforms/built-runner";
import { expect, test } from "vitest";
import { describeRun } from "../probes/define-cli.ts";
import { findProgram } from "../probes/find-program.ts";
import { judgeRun } from "../probes/report/judge-run.ts";
import { readResults } from "../probes/report/results-file.ts";
import { kernelProbes } from "../probes/rows/kernel.ts";
import { runnerProbes } from "../probes/table.ts";
import { createTempDir } from "./temp-dir.ts";

const places = findBuiltRunner("/", {}).places;
const cpuRows = runnerProbes.cpu.length;
const allRows = Object.values(runnerProbes).flat().length + kernelProbes.length;

test.skipIf(places.length === 0)("takes the runner that the build has left", () => {
  const root = createTempDir();
  const [program] = findBuiltRunner(root, {}).places as [string];
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, "");
  expect(findProgram(undefined, { cwd: root, env: {} }, root)).toBe(program);
});

test("--runner comes first, then the environment's", () => {
  const root = createTempDir();
  const [flag, variable] = ["flag", "variable"].map((name) => join(root, name)) as [string, string];
  for (const path of [flag, variable]) writeFileSync(path, "");
  const context = { cwd: root, env: { CODEX_JS_MOD_RUNNER_PATH: variable } };
  expect([findProgram("flag", context, root), findProgram(undefined, context, root)]).toEqual([
    flag,
    variable,
  ]);
});

test("without a runner the error says where it was looked for, and a fix that works", () => {
  const root = createTempDir();
  const context = { cwd: root, env: {} };
  const errorOf = (flag?: string) => {
    try {
      return findProgram(flag, context, root);
    } catch (error) {
      return error instanceof ToolError ? [error.code, error.message, error.hint] : error;
    }
  };
  const code = "CODEX_JS_PROBES_NOT_BUILT";
  expect(errorOf()).toEqual([
    code,
    expect.stringContaining(places.length === 0 ? "this platform" : root),
    "pnpm build, where V8 and Rust are to be had; or name one: --runner FILE, CODEX_JS_MOD_RUNNER_PATH",
  ]);
  expect(errorOf("none")).toEqual([
    code,
    `there is no mod runner at ${join(root, "none")}`,
    "give --runner the path of one, or leave it out",
  ]);
});

test.each([
  ["cpu", cpuRows],
  ["kernel", kernelProbes.length],
  [undefined, allRows],
])("with --only %s the rows of that run count as held", (only, held) => {
  const judgement = judgeRun(readResults(), only);
  expect(judgement).toEqual({ held, kept: allRows - held, leaks: [] });
});

test("what was not run is told apart from what was held", () => {
  expect([describeRun(12, 0), describeRun(12, 175)]).toEqual([
    "12 held",
    "12 held, 175 of other groups were not run and keep their last results",
  ]);
});

test("a kernel row that is not held is a leak, in a run of its group alone", () => {
  const results = readResults();
  const { id } = kernelProbes[0]!;
  results.kernel[id] = { ...results.kernel[id]!, denied: 0 };
  expect(judgeRun(results, "kernel").leaks).toEqual([expect.stringMatching(`^kernel/${id}: `)]);
  expect(judgeRun(results, "cpu").leaks).toEqual([]);
});
