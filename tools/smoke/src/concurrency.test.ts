import { expect, test } from "vitest";
import { createOnce, createTurnstile, mapWithLimit } from "./concurrency.ts";

test("keeps the order and the limit", async () => {
  let running = 0;
  let most = 0;
  const results = await mapWithLimit([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return item * 10;
  });
  expect({ results, most }).toEqual({ results: [10, 20, 30, 40, 50], most: 2 });
});

test("after a failure nothing is started, and what runs is awaited", async () => {
  const log: string[] = [];
  const failed = Promise.withResolvers<void>();
  const mapped = mapWithLimit(["fails", "runs", "never"], 2, async (item) => {
    log.push(`${item} starts`);
    if (item === "fails") throw new Error("broken");
    await failed.promise;
    log.push(`${item} ends`);
  });
  failed.resolve();
  await expect(mapped).rejects.toThrow("broken");
  expect(log).toEqual(["fails starts", "runs starts", "runs ends"]);
});

test("a turnstile lets one in at a time, also after one has failed", async () => {
  const take = createTurnstile();
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} in`);
    await new Promise((resolve) => setImmediate(resolve));
    log.push(`${name} out`);
    if (name === "a") throw new Error("broken");
    return name;
  };
  const outcomes = await Promise.allSettled([take(work("a")), take(work("b"))]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(log).toEqual(["a in", "a out", "b in", "b out"]);
});

test("work that is done once has one outcome for all", async () => {
  let calls = 0;
  const once = createOnce(async () => ++calls);
  expect([await once(), await once(), calls]).toEqual([1, 1, 1]);
});
