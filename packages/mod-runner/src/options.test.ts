import { expect, test } from "vitest";
import type { ModError } from "./errors.ts";
import { checkCallOptions, type ModHostOptions, resolveGrants, resolveOptions } from "./options.ts";

test("the defaults", () => {
  const { limits, pool, sandbox, grants } = resolveOptions({});
  expect({ limits, pool, sandbox, granted: grants({ name: "", version: "", digest: "" }) }).toEqual({
    limits: { budgetMs: 5000, memoryBytes: 536_870_912, startMs: 10_000, codeCacheBytes: 67_108_864 },
    pool: { spare: 1, spareBusy: 3, warm: 4, warmMs: 60_000, runners: 16, queue: 256 },
    sandbox: "require",
    granted: [],
  });
});

function readProblems(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    expect(error).toMatchObject({ name: "ModError", code: "invalid_argument" });
    return (error as ModError).message.split("; ");
  }
  return [];
}

const resolve = (options: unknown) => readProblems(() => resolveOptions(options as ModHostOptions));

test("every problem is told at once, and once", () => {
  const options = {
    limits: { budgetMs: 0, memory: 5, memoryBytes: 1 },
    pool: { runners: 0, warm: 1.5 },
    sandbox: "none",
    operatons: {},
    operations: { "fs.read": "yes" },
  };
  expect(resolve(options)).toEqual([
    'sandbox is "none", expected one of require, best-effort, off',
    "operatons is no option",
    "there are grants, operations, limits, pool, sandbox, onLog, onEvent, runnerPath, runnerDigest",
    "limits.budgetMs is 0, expected an integer from 1 to 600000",
    "limits.memory is no option",
    "there are budgetMs, memoryBytes, startMs, codeCacheBytes",
    "limits.memoryBytes is 1, expected an integer of at least 67108864",
    "pool.runners is 0, expected an integer of at least 1",
    "pool.warm is 1.5, expected an integer of at least 0",
    'operations.fs.read is "yes", expected a function',
  ]);
});

test.each<[object | null, string]>([
  [null, "what holds the options is null, expected an object"],
  [{ grants: "x" }, 'grants is "x", expected a list of names, or a function'],
  [{ grants: [5] }, "grants is a list with 5, expected a list of names, or a function"],
  [{ grants: new Set(["x"]) }, "grants is a Set, expected a list of names, or a function"],
  [{ operations: new Map() }, "operations is a Map, expected an object"],
  [{ limits: 5 }, "limits is 5, expected an object"],
  [{ pool: [] }, "pool is a list with nothing, expected an object"],
  [{ onLog: 5 }, "onLog is 5, expected a function"],
  [{ onEvent: {} }, "onEvent is an object, expected a function"],
  [{ runnerPath: 5 }, "runnerPath is 5, expected a text"],
  [{ runnerDigest: "zz" }, 'runnerDigest is "zz", expected a SHA-256: 64 hexadecimal digits in lower case'],
])("%j is refused", (options, problem) => {
  expect(resolve(options)).toEqual([problem]);
});

test("an option that is undefined is left out", () => {
  const names = ["grants", "operations", "limits", "pool", "sandbox", "onLog", "onEvent", "runnerPath"];
  expect(resolve(Object.fromEntries(names.map((name) => [name, undefined])))).toEqual([]);
  expect(resolve({ limits: { budgetMs: undefined }, pool: { spare: undefined } })).toEqual([]);
});

test.each<["run" | "serve" | "load", object | null, string[]]>([
  ["run", { budgetMs: 3, signal: AbortSignal.abort() }, []],
  ["run", { budgetMs: undefined, signal: undefined }, []],
  ["run", { budgetMs: 0 }, ["budgetMs is 0, expected an integer from 1 to 600000"]],
  [
    "run",
    { signal: 5, budget: 5 },
    ["signal is 5, expected an AbortSignal", "budget is no option", "there are signal, budgetMs"],
  ],
  ["run", null, ["what holds the options is null, expected an object"]],
  ["serve", { hooks: ["main"] }, []],
  ["serve", { hooks: "main" }, ['hooks is "main", expected a list of names']],
  ["load", { digest: "ABC" }, ['digest is "ABC", expected a SHA-256: 64 hexadecimal digits in lower case']],
])("options of %s: %j", (call, options, problems) => {
  expect(readProblems(() => checkCallOptions(call, options as object))).toEqual(problems);
});

test.each<[string, (() => unknown) | readonly string[], string[]]>([
  ["a list", ["x"], []],
  ["what a function gives", () => ["x"], []],
  ["a promise", async () => ["x"], ["grants gave a Promise for any, expected a list of names"]],
  [
    "a promise that fails",
    () => Promise.reject(new Error("no")),
    ["grants gave a Promise for any, expected a list of names"],
  ],
  ["nothing", () => undefined, ["grants gave undefined for any, expected a list of names"]],
  [
    "an error",
    () => {
      throw new Error("no database");
    },
    ["grants threw for any: no database"],
  ],
])("grants: %s", (_, grants, problems) => {
  const settings = resolveOptions({ grants } as ModHostOptions);
  const identity = { name: "any", version: "1.0.0", digest: "" };
  expect(readProblems(() => resolveGrants(settings, identity))).toEqual(problems);
});
