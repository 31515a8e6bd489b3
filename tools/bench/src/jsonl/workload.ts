import { Readable } from "node:stream";

/** What a pipe delivers at once at most. */
const chunkBytes = 65_536;

export interface Workload {
  /** `200 B lines`. */
  name: string;
  lines: readonly string[];
  bytes: number;
  /** A fresh stream over the same chunks. */
  open(): Readable;
}

/** The two shapes that an engine sends most of: a word of an answer, and a command's whole output. */
export function createWorkloads(): Workload[] {
  const plain = 'src/index.ts(12,7): warning: "value" is declared but its value is never read\n';
  const typographic = "src/index.ts(12,7): warning: “value” is declared – but its value is never read\n";
  return [
    createWorkload("200 B lines", 20_000, (index) => createDelta(200, `word ${index} `)),
    createWorkload("1 MB lines", 16, () => createCommandOutput(1_000_000, plain)),
    createWorkload("200 B lines, one in ten not ASCII", 20_000, (index) =>
      createDelta(200, index % 10 === 0 ? `“word” – ${index} ` : `word ${index} `),
    ),
    createWorkload("1 MB lines, not ASCII", 16, () => createCommandOutput(1_000_000, typographic)),
  ];
}

function createWorkload(name: string, count: number, create: (index: number) => string): Workload {
  const text = Array.from({ length: count }, (_, index) => create(index)).join("\n");
  const bytes = Buffer.from(`${text}\n`);
  const chunks = cut(bytes);
  // Strings of their own, as a decoder makes them, and not slices of the one text.
  const lines = text.split("\n").map((line) => Buffer.from(line).toString("utf8"));
  return { name, lines, bytes: bytes.length, open: () => new ChunkStream(chunks) };
}

/** One line of exactly `size` bytes, with identifiers as long as the engine's. */
export function createDelta(size: number, text: string): string {
  const threadId = "01a22d24-0468-7be3-936f-3f81a9f2d2df";
  const make = (delta: string) =>
    JSON.stringify({
      method: "item/agentMessage/delta",
      params: { threadId, turnId: "7", itemId: "msg_0468", delta },
    });
  return make(text + "a".repeat(size - Buffer.byteLength(make(text))));
}

/** One line of exactly `size` bytes, nearly all of it one string with the escapes that real output has. */
export function createCommandOutput(size: number, row: string): string {
  const make = (aggregatedOutput: string) =>
    JSON.stringify({
      method: "item/completed",
      params: {
        item: { type: "commandExecution", id: "call_3", command: "make", exitCode: 0, aggregatedOutput },
      },
    });
  const rowBytes = Buffer.byteLength(JSON.stringify(row)) - 2;
  const room = size - Buffer.byteLength(make(""));
  return make(row.repeat(Math.floor(room / rowBytes)) + "x".repeat(room % rowBytes));
}

function cut(bytes: Buffer): Buffer[] {
  const count = Math.ceil(bytes.length / chunkBytes);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
}

/** As cheap as a stream can be, so that what is measured is the parser. */
class ChunkStream extends Readable {
  readonly #chunks: readonly Buffer[];
  #next = 0;

  constructor(chunks: readonly Buffer[]) {
    super({ highWaterMark: chunkBytes });
    this.#chunks = chunks;
  }

  override _read(): void {
    this.push(this.#chunks[this.#next++] ?? null);
  }
}
