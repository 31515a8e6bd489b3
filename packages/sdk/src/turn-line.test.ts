import { expect, test } from "vitest";
import { TurnLine } from "./turn-line.ts";

test("one at a time, in order, each key for itself", async () => {
  const line = new TurnLine();
  const order: string[] = [];
  const take = async (name: string, key: string) => {
    const leave = await line.enter(key);
    order.push(name);
    return leave;
  };
  const leaveFirst = await take("first", "a");
  const second = take("second", "a");
  const third = take("third", "a");
  await take("elsewhere", "b");
  leaveFirst();
  (await second)();
  await third;
  expect(order).toEqual(["first", "elsewhere", "second", "third"]);
});

test("whoever gives up waiting lets the next one come to its turn, and not before", async () => {
  const line = new TurnLine();
  const abort = new AbortController();
  const leave = await line.enter("a");
  const second = line.enter("a", abort.signal);
  let isIn = false;
  const third = line.enter("a").then(() => {
    isIn = true;
  });
  abort.abort();
  await expect(second).rejects.toMatchObject({ name: "AbortError" });
  expect(isIn).toBe(false);
  leave();
  await third;
});
