import { expect, test } from "vitest";
import { explainMissingEngine, explainStartFailure } from "./explain-failure.ts";

test("a missing engine: message with its code, then the remedy", () => {
  expect(explainMissingEngine("/no/such/folder/node_modules/@codex-js/cli/dist/codex.js")).toMatch(
    /^error: the package @openai\/codex is not installed.* \(CODEX_JS_ENGINE_PACKAGE_MISSING\)\n {2}fix: .+\n$/,
  );
});

test("an engine that does not start: the system's reason and a remedy for it", () => {
  const error = Object.assign(new Error("spawn E2BIG"), { code: "E2BIG" });
  expect(explainStartFailure("/x/codex", error)).toBe(
    "error: the engine could not be started (E2BIG): /x/codex (CODEX_JS_ENGINE_START_FAILED)\n" +
      "  fix: pass a long prompt on stdin instead of as an argument\n",
  );
  expect(explainStartFailure("/x/codex", new Error("odd"))).toContain("reinstall");
});
