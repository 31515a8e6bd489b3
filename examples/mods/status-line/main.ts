import type { Hook } from "@codex-js/mod-runner/mod";
import { formatContext, formatModel, shortenPath } from "./format.ts";
import { readGit } from "./git.ts";

export interface Input {
  model: string;
  folder: string;
  usedTokens: number;
  maxTokens: number;
  /** Cells of the terminal; default 80. */
  columns?: number;
}

export interface Output {
  text: string;
  /** What the text is made of, for a host that colours it. */
  segments: string[];
}

const statusLine: Hook<Input, Output> = async (input, host) => {
  const git = await readGit(host);
  const segments = [
    formatModel(input.model),
    shortenPath(input.folder, 24),
    ...git,
    formatContext(input.usedTokens, input.maxTokens),
  ];
  return { text: fit(segments, input.columns ?? 80), segments };
};

/** As many segments as there is room for; the first always. */
function fit(segments: readonly string[], columns: number): string {
  let text = "";
  for (const segment of segments) {
    const longer = text === "" ? segment : `${text} · ${segment}`;
    if (text !== "" && longer.length > columns) break;
    text = longer;
  }
  return text;
}

export default statusLine;
