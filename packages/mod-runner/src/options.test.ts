import { expect, test } from "vitest";
import type { ModError } from "./errors.ts";
import { type ModHostOptions, resolveBudget, resolveOptions } from "./options.ts";

test("the defaults", () => {
  const { limits, pool, sandbox, grants } = resolveOptions({});
  expect({ limits, pool, sandbox, granted: grants({ name: "", version: "", digest: "" }) }).toEqual({
    limits: { budgetMs: 5000, memoryBytes: 536_870_912, startMs: 10_000, codeCacheBytes: 67_108_864 },
    pool: { spare: 1, spareBusy: 3, warm: 4, warmMs: 60_000, runners: 16, queue: 256 },
    sandbox: "require",
    granted: [],
  });
});

test("every problem is told at once", () => {
  const options = {
    limits: { budgetMs: 600_001, memory: 5 },
    pool: { runners: 0, warm: 1.5 },
    sandbox: "none",
    operations: { "fs.read": "yes" },
  } as unknown as ModHostOptions;
  const read = () => {
    try {
      resolveOptions(options);
    } catch (error) {
      return error as ModError;
    }
  };
  expect(read()).toMatchObject({ code: "invalid_argument" });
  expect(read()?.message.split("; ")).toEqual([
    "limits.memory is no option",
    "there are budgetMs, memoryBytes, startMs, codeCacheBytes",
    "pool.warm is 1.5, expected an integer of at least 0",
    "pool.runners is 0, expected an integer of at least 1",
    "budgetMs is 600001, expected an integer from 1 to 600000",
    'operations["fs.read"] is no function',
    "sandbox is none, expected require, best-effort or off",
  ]);
});

test("a callback's budget is the host's unless it has its own", () => {
  const settings = resolveOptions({ limits: { budgetMs: 70 } });
  expect([resolveBudget(undefined, settings), resolveBudget(3, settings)]).toEqual([70, 3]);
  expect(() => resolveBudget(0, settings)).toThrow("budgetMs is 0");
});
