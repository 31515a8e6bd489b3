import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readUntilExit } from "./read-until-exit.ts";

async function collect(stream: PassThrough, exited: Promise<void>): Promise<string> {
  let text = "";
  for await (const chunk of readUntilExit(stream, exited, 1)) text += chunk.toString();
  return text;
}

test("reads to the end of the output", async () => {
  const stream = new PassThrough();
  stream.end("all of it");
  expect(await collect(stream, new Promise(() => {}))).toBe("all of it");
});

test("what came before the exit is read, though the pipe stays open", async () => {
  const stream = new PassThrough();
  stream.write("all of it");
  expect(await collect(stream, Promise.resolve())).toBe("all of it");
});

test("a reader that takes its time loses nothing", async () => {
  const stream = new PassThrough();
  const chunks = readUntilExit(stream, Promise.resolve(), 1);
  stream.write("one");
  const first = await chunks.next();
  // Longer than the quiet time: only waiting for output counts.
  await new Promise((resolve) => setTimeout(resolve, 20));
  stream.write("two");
  const second = await chunks.next();
  expect([first, second].map(({ value }) => String(value))).toEqual(["one", "two"]);
  await chunks.return();
});

test("a broken pipe ends the output", async () => {
  const stream = new PassThrough();
  stream.destroy(new Error("EIO"));
  expect(await collect(stream, new Promise(() => {}))).toBe("");
});
