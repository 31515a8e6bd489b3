import { expect, test } from "vitest";
import { parseEvent } from "./parse-event.ts";

test("passes on what it does not know, and fills in what older engines leave out", () => {
  const usage = { input_tokens: 1, extra: true };
  expect([
    parseEvent(JSON.stringify({ type: "turn.completed", usage })),
    parseEvent('{"type":"turn.completed","usage":{"cache_write_input_tokens":4}}'),
    parseEvent('{"type":"turn.completed"}'),
    parseEvent('{"type":"from.the.future","a":[1]}'),
  ]).toEqual([
    { type: "turn.completed", usage: { ...usage, cache_write_input_tokens: 0 } },
    { type: "turn.completed", usage: { cache_write_input_tokens: 4 } },
    { type: "turn.completed" },
    { type: "from.the.future", a: [1] },
  ]);
});

// openai/codex#40612: something preloaded into the engine printed to its stdout.
test("a line that is not JSON is an error that shows it, within bounds", () => {
  expect(() => parseEvent("oops")).toThrow(
    expect.objectContaining({
      code: "CODEX_JS_SDK_ENGINE_OUTPUT_INVALID",
      message: "Failed to parse item: oops",
      cause: expect.any(SyntaxError),
    }),
  );
  expect(() => parseEvent("null")).toThrow("Failed to parse item: null");
  expect(() => parseEvent("x".repeat(5000))).toThrow(/^Failed to parse item: x{2000}… \(5000 characters\)$/);
});
