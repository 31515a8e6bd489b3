import { dirname } from "node:path";
import type { Finding } from "./find-changes.ts";
import type { FilePlan, WrittenFile } from "./fix-config.ts";
import { phases, type Sample } from "./measure.ts";
import type { DoctorResult } from "./run-doctor.ts";
import { medianOf, readTotal } from "./statistics.ts";

/** What `--fix` did; `written` is empty for `--dry-run`. */
export interface FixResult {
  plans: readonly FilePlan[];
  written: readonly WrittenFile[];
}

/** The `--json` document, version 1. Times in milliseconds, every raw sample included. */
export function formatJson(result: DoctorResult, fix: FixResult | undefined): string {
  const document = {
    version: 1,
    command: "doctor",
    engine: { version: result.engineVersion },
    machine: { platform: process.platform, arch: process.arch, runtime: describeRuntime() },
    codexHome: dirname(result.files[0]!.path),
    files: result.files.map(({ path, text }) => ({ path, exists: text !== undefined })),
    scenarios: result.measured.map(({ scenario, samples }) => ({
      id: scenario.id,
      label: scenario.label,
      overrides: scenario.overrides,
      medians: Object.fromEntries([
        ...[...phases, "lingerMs" as const].map((phase) => [
          phase,
          round(medianOf(samples, (one) => one[phase])),
        ]),
        ["totalMs", round(medianOf(samples, readTotal))],
      ]),
      samples: samples.map(roundSample),
    })),
    findings: result.findings.map(
      (finding): Finding => ({
        ...finding,
        savesMs: round(finding.savesMs ?? undefined),
      }),
    ),
    notes: result.notes,
    fix:
      fix === undefined
        ? null
        : { files: fix.plans.map(({ path, diff }) => ({ path, diff })), written: fix.written },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function roundSample(sample: Sample): Sample {
  const { readyMs, turnMs, exitMs, lingerMs } = sample;
  const servers = Object.entries(sample.servers).map(([name, server]) => [
    name,
    { ...server, startupMs: round(server.startupMs ?? undefined) },
  ]);
  return {
    ...sample,
    readyMs: round(readyMs ?? undefined),
    turnMs: round(turnMs ?? undefined),
    exitMs: round(exitMs ?? undefined),
    lingerMs: round(lingerMs ?? undefined),
    servers: Object.fromEntries(servers),
  };
}

const round = (ms: number | undefined): number | null => (ms === undefined ? null : Math.round(ms * 10) / 10);

function describeRuntime(): string {
  const { bun, node } = process.versions;
  return bun === undefined ? `node ${node}` : `bun ${bun}`;
}
