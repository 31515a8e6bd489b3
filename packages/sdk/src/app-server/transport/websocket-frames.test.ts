import { expect, test } from "vitest";
import { FrameReader, formatFrame, formatMessageFrames, opcodes } from "./websocket-frames.ts";

/** What a server sends: the client's frame without its mask. */
function unmask(frame: Buffer): Buffer {
  const short = frame[1]! & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  const mask = frame.subarray(start, start + 4);
  const payload = Buffer.from(frame.subarray(start + 4).map((byte, index) => byte ^ mask[index & 3]!));
  const head = Buffer.from(frame.subarray(0, start));
  head[1]! &= 0x7f;
  return Buffer.concat([head, payload]);
}

function read(bytes: Buffer, chunkBytes: number, maxMessageBytes = 1_000_000) {
  const got: unknown[] = [];
  const reader = new FrameReader({
    maxMessageBytes,
    onMessage: (text) => got.push(text),
    onOversizedMessage: (head) => got.push({ oversized: head.slice(0, 4) }),
    onControl: (opcode, payload) => got.push([opcode, payload.toString()]),
  });
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes));
  return got;
}

const texts = [
  "",
  "a",
  "ü".repeat(60),
  "x".repeat(125),
  "y".repeat(126),
  "z".repeat(65_535),
  "🎉".repeat(20_000),
];

test.each([1, 3, 1000, 1_000_000])(
  "messages of every length encoding, in chunks of %i bytes",
  (chunkBytes) => {
    const bytes = Buffer.concat(texts.flatMap((text) => formatMessageFrames(text, 1_000_000)).map(unmask));
    expect(read(bytes, chunkBytes)).toEqual(texts);
  },
);

test.each([1, 2, 7, 5000])(
  "fragments are cut anywhere, control frames come between them (%i bytes)",
  (maxFrameBytes) => {
    const ping = formatFrame(opcodes.ping, Buffer.from("hi"));
    const frames = ["🎉 Größe", "x".repeat(9000)].flatMap((text) => formatMessageFrames(text, maxFrameBytes));
    frames.splice(1, 0, ping);
    const got = read(Buffer.concat(frames.map(unmask)), 11);
    expect(got.filter((entry) => typeof entry === "string")).toEqual(["🎉 Größe", "x".repeat(9000)]);
    expect(got).toContainEqual([opcodes.ping, "hi"]);
  },
);

test.each([10, 64, 10_000])("a message past the bound is skipped, in frames of %i bytes", (maxFrameBytes) => {
  const messages = ["first", "long".repeat(1000), "last"];
  const frames = messages.flatMap((text) => formatMessageFrames(text, maxFrameBytes)).map(unmask);
  expect(read(Buffer.concat(frames), 7, 100)).toEqual(["first", { oversized: "long" }, "last"]);
});

test.each([
  [[0x80 | opcodes.continuation, 0], "a continuation has no beginning"],
  [[opcodes.text, 0, opcodes.text, 0], "a message begins inside another"],
  [[0xc1, 0], "an extension that was not negotiated"],
  [[0x81, 0x80], "a server's frame is masked"],
  [[0x09, 0], "a control frame is fragmented or too long"],
  [[0x89, 126, 0, 126], "a control frame is fragmented or too long"],
])("%j breaks the protocol", (bytes, message) => {
  expect(() => read(Buffer.from(bytes), 100)).toThrow(message);
});
