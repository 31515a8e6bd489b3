import type { ServerNotification } from "@codex-js/protocol";
import { expect, test } from "vitest";
import { TurnQueue } from "./turn-queue.ts";

const ids = { threadId: "thread", turnId: "turn" };
const delta = (itemId: string, text: string) =>
  ({ method: "item/agentMessage/delta", params: { ...ids, itemId, delta: text } }) as ServerNotification;
const plan = (step: string) =>
  ({ method: "turn/plan/updated", params: { ...ids, explanation: step, plan: [] } }) as ServerNotification;
const item = (id: string) =>
  ({
    method: "item/completed",
    params: { ...ids, item: { type: "agentMessage", id } },
  }) as ServerNotification;

async function drain(queue: TurnQueue) {
  const events: ServerNotification[] = [];
  for await (const event of queue) events.push(event);
  return events;
}

test("a consumer that keeps up gets every event as it is", async () => {
  const queue = new TurnQueue({ mergeFrom: 0 });
  const got = drain(queue);
  for (const text of ["a", "b", "c"]) {
    queue.push(delta("1", text));
    await new Promise((resolve) => setImmediate(resolve));
  }
  queue.finish();
  expect(await got).toEqual([delta("1", "a"), delta("1", "b"), delta("1", "c")]);
});

test("deltas that wait are merged by item, of cumulative events the last one stays, items all stay", async () => {
  const queue = new TurnQueue({ mergeFrom: 2 });
  const events = [
    delta("1", "a"),
    plan("x"),
    delta("2", "A"),
    delta("1", "b"),
    plan("y"),
    item("1"),
    item("2"),
  ];
  for (const event of [...events, delta("2", "B"), item("3")]) queue.push(event);
  queue.finish();
  expect(await drain(queue)).toEqual([
    delta("1", "ab"),
    plan("y"),
    delta("2", "AB"),
    item("1"),
    item("2"),
    item("3"),
  ]);
});

test("the same merged events are not touched after they were handed out", async () => {
  const queue = new TurnQueue({ mergeFrom: 0 });
  queue.push(delta("1", "a"));
  const first = (await queue.next()).value;
  queue.push(delta("1", "b"));
  queue.push(delta("1", "c"));
  expect([first, (await queue.next()).value]).toEqual([delta("1", "a"), delta("1", "bc")]);
});

test("past the bound deltas are dropped and counted, items and the end are not", async () => {
  const queue = new TurnQueue({ mergeFrom: 1, maxDeltaChars: 10 });
  for (let index = 0; index < 100; index++) queue.push(delta("1", "abcd"));
  for (let index = 0; index < 100; index++) queue.push(item(String(index)));
  queue.finish();
  expect([queue.size, queue.droppedDeltaChars]).toEqual([101, 392]);
  const events = await drain(queue);
  expect([events[0], events.length]).toEqual([delta("1", "abcdabcd"), 101]);
});

test("an error comes after what waits, once; the first end counts", async () => {
  const queue = new TurnQueue();
  queue.push(item("1"));
  queue.fail(new Error("crashed"));
  queue.finish();
  queue.push(item("2"));
  expect(await queue.next()).toEqual({ done: false, value: item("1") });
  await expect(queue.next()).rejects.toThrow("crashed");
  expect(await queue.next()).toEqual({ done: true, value: undefined });
});

test("several calls of next wait in order and all end", async () => {
  const queue = new TurnQueue();
  const results = [queue.next(), queue.next(), queue.next()];
  queue.push(item("1"));
  queue.fail(new Error("crashed"));
  const settled = await Promise.allSettled(results);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("leaving early tells the owner, leaving at the end does not", async () => {
  let left = 0;
  const queue = new TurnQueue({}, () => left++);
  queue.push(item("1"));
  for await (const _ of queue) break;
  expect([left, await queue.next()]).toEqual([1, { done: true, value: undefined }]);
  const ended = new TurnQueue({}, () => left++);
  ended.push(item("1"));
  ended.finish();
  for await (const _ of ended) break;
  expect(left).toBe(1);
});

test("a hundred thousand events in and out stay in order", async () => {
  const queue = new TurnQueue();
  for (let index = 0; index < 100_000; index++) queue.push(item(String(index)));
  queue.finish();
  const events = await drain(queue);
  expect(
    events.every((event, index) => (event.params as { item: { id: string } }).item.id === String(index)),
  ).toBe(true);
});
