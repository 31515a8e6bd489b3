import { expect, test } from "vitest";
import { createExecArguments } from "./arguments.ts";

const request = { prompt: "", images: [], thread: { id: null }, threadOptions: {}, turnOptions: {} };

// The whole order is held against the official SDK in tests/contract; this is what it gets wrong.
test("values that begin with a dash are glued to their flags", () => {
  const args = createExecArguments(
    { configOverrides: ["-odd=1"] },
    { ...request, images: ["-a.png"], threadOptions: { model: "-m", additionalDirectories: ["-d", "e"] } },
    undefined,
  );
  expect(args.slice(2)).toEqual([
    "--config=-odd=1",
    "--model=-m",
    "--add-dir=-d",
    "--add-dir",
    "e",
    "--image=-a.png",
  ]);
});

// openai/codex#10708: whatever follows `--image` is taken for an image.
test("nothing follows the images", () => {
  const args = createExecArguments(
    {},
    { ...request, thread: { id: "t" }, images: ["a", "b"] },
    "schema.json",
  );
  expect(args.slice(2)).toEqual([
    "--output-schema",
    "schema.json",
    "resume",
    "t",
    "--image",
    "a",
    "--image",
    "b",
  ]);
});

test("quotes what it writes as TOML", () => {
  const thread = { modelReasoningEffort: 'a"b' as never };
  expect(createExecArguments({}, { ...request, threadOptions: thread }, undefined).at(-1)).toBe(
    'model_reasoning_effort="a\\"b"',
  );
});
