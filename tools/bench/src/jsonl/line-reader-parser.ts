import type { Readable } from "node:stream";

/** The part of the SDK's framing that is measured. */
export interface LineReaderModule {
  createLineReader(options: { onLine: (line: string) => void; onOversizedLine: (head: string) => void }): {
    push(chunk: Uint8Array): void;
  };
}

export function createLineReaderParser({ createLineReader }: LineReaderModule) {
  return (source: Readable): Promise<number> =>
    new Promise((resolve, reject) => {
      let count = 0;
      const reader = createLineReader({
        onLine: (line) => {
          if (JSON.parse(line) !== undefined) count++;
        },
        onOversizedLine: (head) => reject(new Error(`line past the bound: ${head.slice(0, 80)}`)),
      });
      source
        .on("data", (chunk: Buffer) => reader.push(chunk))
        .on("end", () => resolve(count))
        .on("error", reject);
    });
}
