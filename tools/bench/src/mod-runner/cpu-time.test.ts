import { expect, test } from "vitest";
import { parseRunTime, readCpuMs } from "./cpu-time.ts";

test("the run time is the first number, in nanoseconds", () => {
  expect(parseRunTime("57250370 320154674 204\n")).toBe(57_250_370);
});

test.skipIf(process.platform !== "linux")("a process that works is seen to work", () => {
  const before = readCpuMs(process.pid);
  // The kernel may count a running thread's time at its next tick.
  const used = process.cpuUsage();
  while (process.cpuUsage(used).user < 50_000) void Math.random();
  const grownMs = readCpuMs(process.pid) - before;
  expect(grownMs).toBeGreaterThan(20);
  expect(grownMs).toBeLessThan(10_000);
});
