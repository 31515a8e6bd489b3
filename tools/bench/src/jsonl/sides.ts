import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { parseWithBufferSplitter } from "./buffer-splitter.ts";
import { createLineReaderParser, type LineReaderModule } from "./line-reader-parser.ts";
import { parseWithReadline, parseWithReadlineEvents } from "./readline-parser.ts";

/** One way to turn a stream of bytes into messages; returns how many there were. */
export interface JsonlSide {
  name: string;
  parse(source: Readable): Promise<number>;
}

export const oursSide = "ours";
export const readlineSide = "readline + JSON.parse";
export const readlineEventsSide = "readline's events + JSON.parse";
/** Not a stream parser: `JSON.parse` of strings that are there already, what no framing can beat. */
export const floorSide = "JSON.parse alone";

/** What is measured besides the floor and ours. One more parser is one more line. */
export const otherSides: readonly JsonlSide[] = [
  { name: readlineSide, parse: parseWithReadline },
  { name: readlineEventsSide, parse: parseWithReadlineEvents },
  { name: "plain Buffer splitter", parse: parseWithBufferSplitter },
];

/** All sides; ours from a module that exports `createLineReader`. */
export async function loadSides(oursFile: string): Promise<JsonlSide[]> {
  const module = (await import(pathToFileURL(oursFile).href)) as LineReaderModule;
  return [{ name: oursSide, parse: createLineReaderParser(module) }, ...otherSides];
}
