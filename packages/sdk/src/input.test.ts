import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { normalizeInput } from "./input.ts";

const here = fileURLToPath(import.meta.url);
const invalid = { name: "CodexError", code: "CODEX_JS_SDK_INPUT_INVALID", hint: expect.any(String) };

test("texts are joined by a blank line, images collected", () => {
  expect(
    normalizeInput([
      { type: "text", text: "a" },
      { type: "local_image", path: here },
      { type: "text", text: "b" },
    ]),
  ).toEqual({ prompt: "a\n\nb", images: [here] });
});

test.each([
  [42],
  [undefined],
  [null],
  [{}],
  [[null]],
  [["text"]],
  [[{ type: "text" }]],
  [[{ type: "local_image" }]],
  [[{ type: "text", text: 1n }]],
])("%s is no input", (input) => {
  expect(() => normalizeInput(input as never)).toThrow(expect.objectContaining(invalid));
});

test.each([
  ["a,b.png", "the engine cannot take an image with a comma in its path: a,b.png"],
  [`${here}.png`, `there is no image at ${here}.png`],
])("an image that the engine would drop: %s", (path, message) => {
  expect(() => normalizeInput([{ type: "local_image", path }])).toThrow(
    expect.objectContaining({ ...invalid, message }),
  );
});
