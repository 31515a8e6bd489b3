import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { checkImages, checkPrompt, normalizeInput } from "./input.ts";

const code = "CODEX_JS_SDK_INPUT_INVALID";
const here = fileURLToPath(import.meta.url);

test("texts are joined, images collected, unknown entries left out", () => {
  const sound = { type: "sound" } as never;
  expect(
    normalizeInput([
      { type: "text", text: "a" },
      sound,
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
  [[1n]],
])("%s is no input", (input) => {
  const error = expect.objectContaining({ name: "CodexError", code, hint: expect.any(String) });
  expect(() => normalizeInput(input as never)).toThrow(error);
});

test("a blank prompt is refused in the engine's words", () => {
  expect(() => checkPrompt(" \n")).toThrow(
    expect.objectContaining({
      name: "CodexExitError",
      code,
      exitCode: 1,
      message: "Codex Exec exited with code 1: Reading prompt from stdin...\nNo prompt provided via stdin.\n",
      hint: expect.any(String),
    }),
  );
  expect(() => checkPrompt("x")).not.toThrow();
});

test("an image that is not there, or whose name the engine would cut", () => {
  expect(() => checkImages([here])).not.toThrow();
  expect(() => checkImages([here, `${here}.png`])).toThrow(
    expect.objectContaining({ code, message: `there is no image at ${here}.png` }),
  );
  expect(() => checkImages(["a,b.png"])).toThrow(expect.objectContaining({ code }));
});
