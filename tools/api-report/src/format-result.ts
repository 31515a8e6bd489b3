import type { ApiReport, ApiReportResult } from "./types.ts";

/** Enough to see what kind of change it is; git shows the rest once it is accepted. */
const shownLines = 60;

/** What the check found: one line for a report that is up to date, else its diff or its problems. */
export function formatCheck(result: ApiReportResult): string {
  return result.reports.map((report) => formatReport(report, describeCheck)).join("");
}

/** What accept wrote. */
export function formatAccept(result: ApiReportResult): string {
  return result.reports.map((report) => formatReport({ ...report, diff: "" }, describeAccept)).join("");
}

function formatReport(report: ApiReport, describe: (report: ApiReport) => string): string {
  const problems = report.problems.map(
    ({ message, hint }) => `  ${message}\n${hint === undefined ? "" : `    fix: ${hint}\n`}`,
  );
  return `${describe(report)}\n${problems.join("")}${abridge(report.diff)}`;
}

function describeCheck({ status, package: name, reportFile }: ApiReport): string {
  if (status === "unchanged") return `✓ ${name}: the public API is as in ${reportFile}`;
  if (status === "added") return `✗ ${name}: ${reportFile} is not in git yet`;
  if (status === "changed") return `✗ ${name}: the public API differs from ${reportFile}`;
  if (status === "removed") return `✗ ${name}: no entry point has ${reportFile} any more`;
  return `✗ ${name}: the built declarations have problems`;
}

function describeAccept({ status, package: name, reportFile }: ApiReport): string {
  if (status === "unchanged") return `✓ ${name}: ${reportFile} was up to date`;
  if (status === "invalid")
    return `✗ ${name}: the built declarations have problems; ${reportFile} is left as it is`;
  return `✓ ${name}: ${status === "removed" ? "removed" : "wrote"} ${reportFile}; commit it`;
}

function abridge(diff: string): string {
  if (diff === "") return "";
  const lines = diff.trimEnd().split("\n");
  const left = lines.length - shownLines;
  return `${lines.slice(0, shownLines).join("\n")}\n${left > 0 ? `… and ${left} more lines\n` : ""}`;
}
