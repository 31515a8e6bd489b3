import { statSync } from "node:fs";
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
 * Joins texts by a blank line and collects images; the order within each kind is kept. Entries of another
 * type are left out.
 * @throws CodexError CODEX_JS_SDK_INPUT_INVALID for what is no input
 */
export function normalizeInput(input: Input): NormalizedInput {
  if (typeof input === "string") return { prompt: input, images: [] };
  if (!Array.isArray(input)) throw createInputError(`the input is ${describe(input)}`);
  const texts: string[] = [];
  const images: string[] = [];
  for (const [index, entry] of input.entries()) {
    if (entry?.type === "text" && typeof entry.text === "string") texts.push(entry.text);
    else if (entry?.type === "local_image" && typeof entry.path === "string") images.push(entry.path);
    else if (entry?.type === "text" || entry?.type === "local_image" || typeof entry !== "object" || !entry) {
      throw createInputError(`entry ${index} of the input is ${describe(entry)}`);
    }
  }
  return { prompt: texts.join("\n\n"), images };
}

/**
 * Refuses a prompt without text, as the engine would, in the words of its end, which programs may look for.
 * @throws CodexExitError CODEX_JS_SDK_INPUT_INVALID
 */
export function checkPrompt(prompt: string): void {
  if (prompt.trim() !== "") return;
  const stderr = "Reading prompt from stdin...\nNo prompt provided via stdin.\n";
  throw new CodexExitError(
    { exitCode: 1, signal: null, stderr },
    { code: "CODEX_JS_SDK_INPUT_INVALID", hint: "give the turn a text that is not blank" },
  );
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
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
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

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  const { type } = value as UserInput;
  return `${typeof type === "string" ? JSON.stringify(type) : "an entry"} without its text or path`;
}
