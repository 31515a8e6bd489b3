import type { Readable } from "node:stream";

/** Calls `take` with each line, and lets the process end with its input. */
export function readLines(source: Readable, take: (line: string) => void): void {
  let rest = "";
  source.setEncoding("utf8").on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop()!;
    for (const line of parts) take(line);
  });
}
