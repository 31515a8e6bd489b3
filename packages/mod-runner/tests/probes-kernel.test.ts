import { beforeAll, describe, expect, test } from "vitest";
import { findKernelProbe } from "../probes/kernel/find-kernel-probe.ts";
import { isHeld, type KernelAttempt, runKernelProbe } from "../probes/kernel/run-kernel-probe.ts";
import { kernelProbes } from "../probes/rows/kernel.ts";

const program = findKernelProbe();

if (program === undefined && process.platform === "linux") {
  const message = "there is no kernel-probe: cargo build --release --package codex-js-sandbox in native/";
  if (process.env.CI === "true") throw new Error(message);
  process.stderr.write(`skipping the kernel's rows: ${message}\n`);
}

describe.skipIf(program === undefined)("kernel", () => {
  let attempts: Map<string, KernelAttempt>;
  let withJit: Map<string, KernelAttempt>;

  beforeAll(async () => {
    attempts = await runKernelProbe(program!);
    withJit = await runKernelProbe(program!, ["--jit"]);
  });

  test.each(kernelProbes)("$id", (row) => {
    const leaks = row.attempts.flatMap((name) => {
      // With JIT the runner may make memory executable: that one row is about a runner without.
      const tried = row.id === "executable-memory" ? [attempts] : [attempts, withJit];
      return tried.map((all) => all.get(name) ?? { probe: name, outcome: "not tried" });
    });
    expect(leaks.filter((attempt) => !isHeld(attempt))).toEqual([]);
  });

  test("every attempt of kernel-probe belongs to one row", () => {
    const named = kernelProbes.flatMap((row) => row.attempts);
    expect([...named].sort()).toEqual([...attempts.keys()].sort());
  });
});
