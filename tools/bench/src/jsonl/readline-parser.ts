import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** readline at its fastest: through the `line` event. */
export function parseWithReadlineEvents(source: Readable): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0;
    createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })
      .on("line", (line) => {
        if (JSON.parse(line) !== undefined) count++;
      })
      .on("close", () => resolve(count))
      .on("error", reject);
  });
}

/** readline as most clients use it, the official SDK among them: through its async iterator. */
export async function parseWithReadline(source: Readable): Promise<number> {
  let count = 0;
  for await (const line of createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (JSON.parse(line) !== undefined) count++;
  }
  return count;
}
