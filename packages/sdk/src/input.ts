import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { CodexError, CodexExitError } from "./errors.ts";

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
 * @throws CodexError CODEX_JS_SDK_INPUT_INVALID for anything else, and where there is no text
 */
export function normalizeInput(input: Input): NormalizedInput {
  const { prompt, images } = readInput(input);
  // The engine would end with these words, which programs may look for.
  if (prompt.trim() === "") throw createEmptyError();
  return { prompt, images };
}

function readInput(input: Input): NormalizedInput {
  if (typeof input === "string") return { prompt: input, images: [] };
  if (!Array.isArray(input)) throw createInputError(`the input is ${describe(input)}`);
  const texts: string[] = [];
  const images: string[] = [];
  for (const [index, entry] of input.entries()) {
    const value =
      entry?.type === "local_image" ? entry.path : entry?.type === "text" ? entry.text : undefined;
    if (typeof value !== "string")
      throw createInputError(`entry ${index} of the input is ${describe(entry)}`);
    if (entry.type === "text") texts.push(value);
    else images.push(value);
  }
  return { prompt: texts.join("\n\n"), images };
}

/**
 * The engine cuts `--image a,b` into two files, and drops files that it does not find, silently.
 * @throws CodexError CODEX_JS_SDK_INPUT_INVALID
 */
export function checkImages(paths: readonly string[]): void {
  for (const path of paths) {
    if (path.includes(",")) {
      throw createInputError(`the engine cannot take an image with a comma in its path: ${path}`, {
        hint: "copy the image to a path without a comma",
      });
    }
    if (!existsSync(path)) {
      throw createInputError(`there is no image at ${resolve(path)}`, {
        hint: "paths of images are relative to this process's folder, not to workingDirectory",
      });
    }
  }
}

function createInputError(
  message: string,
  { hint = 'pass a text, or entries { type: "text", text } and { type: "local_image", path }' } = {},
): CodexError {
  return new CodexError("CODEX_JS_SDK_INPUT_INVALID", message, { hint });
}

function createEmptyError(): CodexError {
  const stderr = "Reading prompt from stdin...\nNo prompt provided via stdin.\n";
  return new CodexExitError(
    { exitCode: 1, signal: null, stderr },
    { code: "CODEX_JS_SDK_INPUT_INVALID", hint: "give the turn a text that is not blank" },
  );
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === "object"
    ? `an object of type ${JSON.stringify((value as UserInput).type)}`
    : `a ${typeof value}`;
}
