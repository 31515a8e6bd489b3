import { existsSync } from "node:fs";
import { CodexError } from "./errors.ts";

/** One entry of a prompt. */
export type UserInput =
  | {
      type: "text";
      text: string;
    }
  | {
      type: "local_image";
      /** A file; relative to this process's working directory. */
      path: string;
    };

/** A prompt: text, or entries of text and images. */
export type Input = string | UserInput[];

/** A prompt as the engine takes it: one text, and the files of images. */
export interface NormalizedInput {
  prompt: string;
  images: string[];
}

/**
 * Joins texts by a blank line and collects images; the order within each kind is kept.
 * @throws CodexError CODEX_JS_SDK_INPUT_INVALID for what is no input, and for an image that the engine would
 * drop without a word
 */
export function normalizeInput(input: Input): NormalizedInput {
  if (typeof input === "string") return { prompt: input, images: [] };
  if (!Array.isArray(input)) throw createInputError(`the input is ${input === null ? "null" : typeof input}`);
  const texts: string[] = [];
  const images: string[] = [];
  for (const entry of input) {
    if (entry?.type === "text" && typeof entry.text === "string") texts.push(entry.text);
    else if (entry?.type === "local_image" && typeof entry.path === "string") images.push(entry.path);
    else if (!isOtherEntry(entry))
      throw createInputError(`an entry of the input is no text and no image: ${typeof entry}`);
  }
  for (const path of images) checkImage(path);
  return { prompt: texts.join("\n\n"), images };
}

/** A kind of entry that this version does not know is left out, as the official SDK does. */
function isOtherEntry(entry: unknown): boolean {
  const type = (entry as { type?: unknown } | null)?.type;
  return typeof type === "string" && type !== "text" && type !== "local_image";
}

/** The engine cuts `--image a,b` into two files, and drops files that it does not find. */
function checkImage(path: string): void {
  if (path.includes(",")) {
    throw createInputError(
      `the engine cannot take an image with a comma in its path: ${path}`,
      "copy the image to a path without a comma",
    );
  }
  if (!existsSync(path)) {
    throw createInputError(
      `there is no image at ${path}`,
      "image paths are relative to this process's folder, not to workingDirectory",
    );
  }
}

function createInputError(
  message: string,
  hint = 'pass a text, or entries { type: "text", text } and { type: "local_image", path }',
): CodexError {
  return new CodexError("CODEX_JS_SDK_INPUT_INVALID", message, { hint });
}
