import { formatDuration, formatTable } from "@codex-js/cli-kit";
import type { CheckResult, RuntimeResult, SmokeEvent, SmokeReport } from "./types.ts";

export function isOk(report: SmokeReport): boolean {
  return report.results.every(({ ok }) => ok);
}

/**
 * The reason outside, where nothing else kept any runtime from passing: then nothing is known against the
 * packages.
 */
export function findExternalFailure(report: SmokeReport): CheckResult | undefined {
  const failed = report.results.filter(({ ok }) => !ok);
  const reasons = failed.map(({ checks }) => checks.find(({ external }) => external === true));
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
}

/** The matrix as a table, and below it what failed. */
export function formatReport(report: SmokeReport): string {
  const names = [...new Set(report.results.flatMap(({ checks }) => checks.map(({ name }) => name)))];
  const header = ["runtime", "version", "package manager", ...names, "took"];
  const rows = report.results.map((result) => [
    result.runtime,
    result.runtimeVersion,
    result.packageManager,
    ...names.map((name) => formatCell(result.checks.find((check) => check.name === name))),
    formatDuration(result.durationMs),
  ]);
  const table = formatTable(header, rows, [header.length - 1]);
  return `${[table, ...report.results.flatMap(formatFailures)].join("\n\n")}\n`;
}

/** One line for a log. */
export function formatEvent({ runtime, check, state, detail }: SmokeEvent): string {
  switch (state) {
    case "start":
      return `… ${runtime}: ${check}`;
    case "ok":
      return `✓ ${runtime}: ${check}`;
    case "failed":
      return `✗ ${runtime}: ${check}`;
    case "skipped":
      return `- ${runtime}: ${check} skipped, ${detail}`;
  }
}

/** One line for a runtime that is done, without what failed. */
export function formatRuntime({ runtime, ok, checks, durationMs }: RuntimeResult): string {
  const failed = checks.filter(({ status }) => status === "failed").map(({ name }) => name);
  return `${ok ? "✓" : "✗"} ${runtime}${ok ? "" : `: ${failed.join(", ")} failed`} (${formatDuration(durationMs)})`;
}

function formatCell(check: CheckResult | undefined): string {
  if (check === undefined) return "";
  const marks = { passed: "✓", failed: "✗", skipped: "-" };
  return check.status === "skipped"
    ? marks.skipped
    : `${marks[check.status]} ${formatDuration(check.durationMs)}`;
}

function formatFailures({ runtime, checks }: RuntimeResult): string[] {
  return checks
    .filter(({ status }) => status === "failed")
    .map(({ name, message }) => `✗ ${runtime}, ${name}: ${message}`);
}
