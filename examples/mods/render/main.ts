import type { Hook } from "@codex-js/mod-runner/mod";
import { foldRepeated, wrapLine } from "./lines.ts";

export interface Input {
  id: string;
  text: string;
  columns: number;
}

export interface Output {
  lines: string[];
  /** Nothing has changed since the last time. */
  isSame: boolean;
}

/** What lasts from render to render: the last ones, so that it cannot grow for ever. */
const rendered = new Map<string, { text: string; columns: number; lines: string[] }>();
const keptItems = 100;
let renders = 0;

export const render: Hook<Input, Output> = ({ id, text, columns }) => {
  renders += 1;
  const last = rendered.get(id);
  if (last?.text === text && last.columns === columns) return { lines: last.lines, isSame: true };
  const lines = foldRepeated(text.split("\n")).flatMap((line) => wrapLine(line, columns));
  rendered.delete(id);
  rendered.set(id, { text, columns, lines });
  const [oldest] = rendered.keys();
  if (rendered.size > keptItems && oldest !== undefined) rendered.delete(oldest);
  return { lines, isSame: false };
};

export const counts: Hook<null, { renders: number; kept: number }> = () => ({ renders, kept: rendered.size });
