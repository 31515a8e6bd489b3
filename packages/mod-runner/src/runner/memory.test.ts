import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { parseStatus, readMemory, readRssWithPs } from "./memory.ts";

test("reads the kernel's table", () => {
  expect(parseStatus("Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n")).toEqual({
    rssBytes: 1024 * 1024,
    peakRssBytes: 2048 * 1024,
  });
  // A zombie has no memory.
  expect(parseStatus("Name:\tx\nState:\tZ\n")).toBeUndefined();
});

test.skipIf(process.platform !== "linux")("this process, and none", () => {
  const { rssBytes, peakRssBytes } = readMemory(process.pid)!;
  expect(rssBytes).toBeGreaterThan(10_000_000);
  expect(peakRssBytes).toBeGreaterThanOrEqual(rssBytes);
  expect(readMemory(2 ** 30)).toBeUndefined();
});

test.skipIf(!existsSync("/bin/ps"))("ps says about the same", async () => {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
  try {
    expect(await readRssWithPs(child.pid!)).toBeGreaterThan(1_000_000);
  } finally {
    child.kill("SIGKILL");
  }
  expect(await readRssWithPs(2 ** 30)).toBeUndefined();
});
