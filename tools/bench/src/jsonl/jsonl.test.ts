import { expect, test } from "vitest";
import { createSampleClock } from "./sample-clock.ts";
import { otherSides } from "./sides.ts";
import { createCommandOutput, createDelta, createWorkloads } from "./workload.ts";

test("lines have the size they are named after, and are JSON", () => {
  const lines = [createDelta(200, "“word” "), createCommandOutput(1_000_000, 'a "row" – \n')];
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ method: expect.any(String) });
  expect(lines.map((line) => Buffer.byteLength(line))).toEqual([200, 1_000_000]);
});

test("every side finds every message", async () => {
  for (const workload of createWorkloads()) {
    for (const { parse } of otherSides) expect(await parse(workload.open())).toBe(workload.lines.length);
  }
});

test("the clock pairs its readings and keeps their order", () => {
  const readings = [10, 15, 100, 102, 200, 209];
  const clock = createSampleClock(() => readings.shift()!);
  for (let reading = 0; reading < 6; reading++) clock.now();
  expect(clock.samples).toEqual([5, 2, 9]);
});
