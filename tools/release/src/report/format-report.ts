import { formatBytes, formatDuration, formatTable } from "@codex-js/cli-kit";
import type { RuntimeResult } from "@codex-js/smoke";
import type { PackageResult, ReleaseReport } from "./report.ts";

const states: Record<PackageResult["state"], string> = {
  packed: "packed, not published",
  published: "published",
  "already-there": "already there, same bytes",
};
const marks = { passed: "✓", failed: "✗", skipped: "-" } as const;

/** The summary at the end of a release; a release that failed early has less to show. */
export function formatReport(report: ReleaseReport): string {
  const tables = listTables(report).map(({ header, rows, right }) => formatTable(header, rows, right));
  return `\n${[...tables, `${formatVerdict(report)}\n${formatFiles(report)}`].join("\n\n")}\n`;
}

/** The same as Markdown, for the summary of a GitHub Actions job. */
export function formatMarkdown(report: ReleaseReport): string {
  const tables = listTables(report).map(({ header, rows }) => markdownTable(header, rows));
  return `${[`## ${formatVerdict(report)}`, ...tables].join("\n\n")}\n`;
}

/** Tarballs are there from the step `pack` on. */
function formatFiles({ files, packages }: ReleaseReport): string {
  const tarballs = packages.length === 0 ? [] : [`tarballs: ${files.tarballsDir}`];
  return [...tarballs, `report: ${files.report}`].join("\n");
}

interface Table {
  header: string[];
  rows: string[][];
  /** Columns aligned right. */
  right: number[];
}

function listTables(report: ReleaseReport): Table[] {
  const packageHeader = ["package", "version", "packed", "unpacked", "files", "state"];
  const tables: Table[] = [
    { header: packageHeader, rows: packageRows(report), right: [2, 3, 4] },
    { header: ["runtime", ...checkNames(report), "took"], rows: smokeRows(report), right: [] },
    { header: ["step", "took"], rows: stepRows(report), right: [1] },
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

function packageRows({ packages, leftOut }: ReleaseReport): string[][] {
  const missing = leftOut.map(({ name, version, reason }) => [
    name,
    version,
    "",
    "",
    "",
    `left out: ${reason}`,
  ]);
  return [...packages.map(formatPackage), ...missing];
}

function formatPackage(pkg: PackageResult): string[] {
  return [
    pkg.name,
    pkg.version,
    formatBytes(pkg.packedBytes),
    formatBytes(pkg.unpackedBytes),
    `${pkg.files}`,
    states[pkg.state],
  ];
}

/** Checks of any runtime, in the order they first appear. */
function checkNames({ smokes }: ReleaseReport): string[] {
  return [...new Set(smokes.flatMap(({ checks }) => checks.map(({ name }) => name)))];
}

function smokeRows(report: ReleaseReport): string[][] {
  const names = checkNames(report);
  return report.smokes.map((smoke) => [
    `${smoke.runtime} ${smoke.runtimeVersion} (${smoke.packageManager})`,
    ...names.map((name) => formatCheck(smoke, name)),
    formatDuration(smoke.durationMs),
  ]);
}

function formatCheck(smoke: RuntimeResult, name: string): string {
  const check = smoke.checks.find((one) => one.name === name);
  return check === undefined ? "" : marks[check.status];
}

function stepRows({ steps, durationMs }: ReleaseReport): string[][] {
  const rows = steps.map((step) => [step.name, formatDuration(step.durationMs)]);
  return [...rows, ["all", formatDuration(durationMs)]];
}

function formatVerdict(report: ReleaseReport): string {
  const what = report.target === "npm" ? "release to npm" : report.target;
  if (!report.ok) return `The ${what} failed`;
  const count = (state: PackageResult["state"]) =>
    report.packages.filter((pkg) => pkg.state === state).length;
  const smoked = report.smokes.map(({ runtime }) => runtime).join(", ");
  const smokes = smoked === "" ? "no smokes" : `smokes passed on ${smoked}`;
  const left = report.leftOut.length === 0 ? "" : `, ${report.leftOut.length} left to other machines`;
  const url = report.releaseUrl === undefined ? "" : `; ${report.releaseUrl}`;
  return `The ${what} is complete: ${count("published")} published, ${count("already-there")} already there${left}; ${smokes}${url}`;
}

function markdownTable(header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}
