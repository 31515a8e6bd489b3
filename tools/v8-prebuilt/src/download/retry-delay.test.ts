import { expect, test } from "vitest";
import { computeRetryDelay, parseRetryAfter } from "./retry-delay.ts";

const policy = { backoff: { firstMs: 500, factor: 2, maxMs: 3000, jitter: 0.5 } };

test("grows to its limit, less a random part", () => {
  const delays = (random: number) =>
    [1, 2, 3, 4, 9].map((failures) => computeRetryDelay(failures, policy, 0, random));
  expect(delays(0)).toEqual([500, 1000, 2000, 3000, 3000]);
  expect(delays(1)).toEqual([250, 500, 1000, 1500, 1500]);
});

test("never less than the server asked for", () => {
  expect([computeRetryDelay(1, policy, 10_000, 0.5), computeRetryDelay(1, policy, 100, 0)]).toEqual([
    10_000, 500,
  ]);
});

const now = new Date("2026-01-01T00:00:00Z");

test.each([
  [undefined, undefined],
  ["0", 0],
  ["120", 120_000],
  [" 5 ", 5000],
  ["Thu, 01 Jan 2026 00:01:00 GMT", 60_000],
  ["Wed, 31 Dec 2025 00:00:00 GMT", 0],
  ["soon", undefined],
  ["-5", undefined],
])("Retry-After: %s", (header, ms) => {
  expect(parseRetryAfter(header, now)).toBe(ms);
});
