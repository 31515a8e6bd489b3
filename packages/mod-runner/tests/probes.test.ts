import { describe, expect, test } from "vitest";
import { isExpected } from "../probes/probe.ts";
import { memoryLimitKib } from "../probes/report/results.ts";
import { runProbe } from "../probes/run/run-probe.ts";
import { runnerProbes } from "../probes/table.ts";
import { realRunner } from "./real/real-runner.ts";

describe.skipIf(realRunner === undefined).each(Object.entries(runnerProbes))("%s", (_, probes) => {
  test.each(probes)("$id", async (probe) => {
    const verdict = await runProbe(probe, { program: realRunner!, sandbox: "require" });
    expect(
      isExpected(verdict.outcome, probe.expect),
      `${JSON.stringify(verdict.outcome)?.slice(0, 300)}, expected ${JSON.stringify(probe.expect).slice(0, 300)}`,
    ).toBe(true);
    expect(verdict).toMatchObject({ isHealthy: true, traces: [] });
    if (process.platform === "linux") expect(verdict.peakKib).toBeLessThan(memoryLimitKib);
  });
});
