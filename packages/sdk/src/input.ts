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
 * @throws CodexError CODEX_JS_SDK_INPUT_INVALID for an image whose path has a comma
 */
export function normalizeInput(input: Input): NormalizedInput {
  if (typeof input === "string") return { prompt: input, images: [] };
  const texts: string[] = [];
  const images: string[] = [];
  for (const entry of input) {
    if (entry.type === "text") texts.push(entry.text);
    else if (entry.type === "local_image") images.push(checkImagePath(entry.path));
  }
  return { prompt: texts.join("\n\n"), images };
}

/** The engine cuts `--image a,b` into two files and then drops the ones it does not find, silently. */
function checkImagePath(path: string): string {
  if (!path.includes(",")) return path;
  throw new CodexError(
    "CODEX_JS_SDK_INPUT_INVALID",
    `the engine cannot take an image with a comma in its path: ${path}`,
    {
      hint: "copy the image to a path without a comma",
    },
  );
}
