import type { Readable } from "node:stream";

const lineFeed = 0x0a;

/** The plainest framing that is right: split bytes on LF, decode whole lines. */
export function parseWithBufferSplitter(source: Readable): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0;
    let rest: Buffer[] = [];
    const take = (line: Buffer) => {
      if (JSON.parse(line.toString("utf8")) !== undefined) count++;
    };
    source
      .on("data", (chunk: Buffer) => {
        let start = 0;
        for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
          const tail = chunk.subarray(start, end);
          take(rest.length === 0 ? tail : Buffer.concat([...rest, tail]));
          rest = [];
          start = end + 1;
        }
        if (start < chunk.length) rest.push(chunk.subarray(start));
      })
      .on("end", () => resolve(count))
      .on("error", reject);
  });
}
