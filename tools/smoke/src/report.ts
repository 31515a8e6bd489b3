import { formatDuration, formatTable } from "@codex-js/cli-kit";
import type { CheckResult, RuntimeResult, SmokeEvent, SmokeReport } from "./types.ts";

export function isOk(report: SmokeReport): boolean {
  return report.results.every(({ ok }) => ok);
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
  return [table, ...report.results.flatMap(formatFailures)].join("\n\n");
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
