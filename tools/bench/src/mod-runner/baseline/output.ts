import { writeSync } from "node:fs";
import type { RunnerMessage } from "../protocol.ts";

const stdout = 1;

/** Without `process.stdout`, whose stream would have to be loaded first. */
export function writeLine(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length; ) at += writeSync(stdout, bytes, at);
}

export function writeMessage(message: RunnerMessage): void {
  writeLine(JSON.stringify(message));
}
