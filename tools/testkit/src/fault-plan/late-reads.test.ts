import { expect, test } from "vitest";
import type { PlainAnswer, PlainRequest } from "./exchange.ts";
import { createLateReads } from "./late-reads.ts";

const get = (url: string): PlainRequest => ({ method: "GET", url, headers: {}, body: Buffer.alloc(0) });
const json = (body: unknown): PlainAnswer => ({
  status: 200,
  headers: { "content-type": "application/json", etag: "one", "content-length": 7 },
  body: Buffer.from(JSON.stringify(body)),
});
const packument = (...versions: string[]) =>
  json({
    versions: Object.fromEntries(versions.map((version) => [version, {}])),
    "dist-tags": { latest: versions.at(-1)! },
    time: Object.fromEntries(versions.map((version) => [version, "now"])),
  });
const read = ({ status, body }: PlainAnswer) => (status === 200 ? JSON.parse(body.toString()) : status);

test("a version is hidden from a packument, and the dist-tag stays on the one before", () => {
  const late = createLateReads({ invisibleForPolls: 1 })!;
  const one = { versions: { "1.0.0": {} }, "dist-tags": { latest: "1.0.0" }, time: { "1.0.0": "now" } };
  expect(read(late.delay(get("/p"), packument("1.0.0")))).toEqual(one);
  late.noteWrite();
  const hidden = late.delay(get("/p"), packument("1.0.0", "1.1.0"));
  expect([read(hidden), hidden.headers]).toEqual([one, { "content-type": "application/json" }]);
  expect(late.delay(get("/p"), packument("1.0.0", "1.1.0"))).toEqual(packument("1.0.0", "1.1.0"));
});

test("each item of a list is hidden for its own reads; each address counts for itself", () => {
  const late = createLateReads({ invisibleForPolls: 2 })!;
  late.noteWrite();
  const ids = (url: string, ...items: number[]) =>
    read(late.delay(get(url), json(items.map((id) => ({ id }))))).map(({ id }: { id: number }) => id);
  expect([ids("/a?page=1", 1), ids("/a", 1, 2), ids("/a", 1, 2), ids("/b", 1), ids("/a", 1, 2)]).toEqual([
    [],
    [],
    [1],
    [],
    [1, 2],
  ]);
});

test("what is there alone is not found at first; an error is no thing to hide", () => {
  const late = createLateReads({ invisibleForPolls: 1 })!;
  late.noteWrite();
  const missing = { ...json({}), status: 404 };
  const answers = [missing, json({ a: 1 }), json({ a: 1 })].map((answer) => late.delay(get("/a"), answer));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 200]);
});

test("a change is seen late, and the next change again", () => {
  const late = createLateReads({ staleReads: 1 })!;
  const reads = [1, 1, 2, 2, 3, 3].map((value) => read(late.delay(get("/a"), json(value))));
  expect(reads).toEqual([1, 1, 1, 2, 2, 3]);
});
