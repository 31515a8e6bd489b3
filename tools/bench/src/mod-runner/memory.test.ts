import { expect, test } from "vitest";
import { readMemory } from "./memory.ts";

test.skipIf(process.platform !== "linux")("the processes' memory is summed", () => {
  const one = readMemory([process.pid]);
  const two = readMemory([process.pid, process.pid]);
  for (const metric of ["privateDirtyKib", "pssKib", "rssKib"]) {
    expect(one[metric]).toBeGreaterThan(0);
    expect(two[metric]).toBeGreaterThan(one[metric]!);
  }
});

test("memory that nobody lets us read is an error with a way out", () => {
  // Above the largest number that Linux gives a process.
  expect(() => readMemory([2 ** 30])).toThrow(
    expect.objectContaining({
      code: "CODEX_JS_BENCH_MEMORY_UNREADABLE",
      hint: expect.stringContaining("--sandbox off"),
    }),
  );
});
