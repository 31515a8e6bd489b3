import { formatBytes, formatTable } from "@codex-js/cli-kit";
import type { Problem } from "@codex-js/pack";
import type { BundleSizes, LastRelease, PackageSizes, SizeReport } from "./types.ts";

const packageHeader = ["package", "version", "packed", "limit", "unpacked", "limit", "files", "last release"];
const bundleHeader = ["bundle (minified, brotli)", "size", "limit"];
const shownOfAKind = 5;
const numeric = [2, 3, 4, 5, 6];

/** For people: tables, problems with their remedies, then the verdict as the last line. */
export function formatReport(report: SizeReport): string {
  const parts = [formatTable(packageHeader, report.packages.map(packageRow), numeric)];
  if (report.bundles.length > 0) parts.push(formatTable(bundleHeader, report.bundles.map(bundleRow), [1, 2]));
  const problems = listProblems(report);
  if (problems.length > 0) parts.push(abridge(problems, formatProblem));
  parts.push(`${report.verdict === "passed" ? "✓" : "✗"} ${formatVerdict(report)}`);
  return `${parts.join("\n\n")}\n`;
}

/** For the summary of a GitHub Actions job. */
export function formatMarkdown(report: SizeReport): string {
  const parts = [
    `### ${report.verdict === "passed" ? "✅" : "❌"} Package sizes`,
    markdownTable(packageHeader, report.packages.map(packageRow), numeric),
  ];
  if (report.bundles.length > 0) {
    parts.push(markdownTable(bundleHeader, report.bundles.map(bundleRow), [1, 2]));
  }
  const problems = listProblems(report);
  if (problems.length > 0) {
    parts.push(abridge(problems, ({ package: name, message }) => `- **${name}** ${message}`));
  }
  parts.push(formatVerdict(report));
  return `${parts.join("\n\n")}\n`;
}

/** Hundreds of files of one kind, when they get in, would bury everything else; --json has them all. */
function abridge(problems: Problem[], format: (problem: Problem) => string): string {
  const kinds = Object.groupBy(problems, (problem) => `${problem.package} ${problem.code}`);
  const blocks = Object.values(kinds).map((kind = []) => {
    const shown = kind.slice(0, shownOfAKind).map(format);
    const left = kind.length - shown.length;
    return [...shown, ...(left > 0 ? [`- … and ${left} more like these`] : [])].join("\n");
  });
  return blocks.join("\n");
}

export function listProblems(report: SizeReport): Problem[] {
  return [
    ...report.packages.flatMap(({ problems }) => problems),
    ...report.bundles.flatMap(({ problems }) => problems),
    ...report.problems,
  ];
}

function formatVerdict({ verdict, checks, packages, leftOut }: SizeReport): string {
  const head = verdict === "passed" ? "sizes are within budget" : "sizes are not within budget";
  const counts = `${checks.passed} passed, ${checks.failed} failed, ${checks.skipped} skipped`;
  const skipped = packages.flatMap(({ name, lastRelease }) =>
    lastRelease.status === "unknown"
      ? [`\n  skipped: ${name} against its last release: ${lastRelease.reason}`]
      : [],
  );
  skipped.push(...leftOut.map(({ name, reason }) => `\n  skipped: ${name}: ${reason}`));
  return `${head}: ${counts}${skipped.join("")}`;
}

function packageRow(sizes: PackageSizes): string[] {
  const { name, version, packedBytes, unpackedBytes, files, budget, lastRelease } = sizes;
  return [
    name,
    version,
    formatBytes(packedBytes),
    formatLimit(budget?.packedBytes),
    formatBytes(unpackedBytes),
    formatLimit(budget?.unpackedBytes),
    String(files.length),
    formatLastRelease(sizes, lastRelease),
  ];
}

function bundleRow(bundle: BundleSizes): string[] {
  return [
    `import ${bundle.import} from "${bundle.package}"`,
    bundle.measuredBytes === null ? "failed" : formatBytes(bundle.measuredBytes),
    formatBytes(bundle.brotliBytes),
  ];
}

function formatLastRelease(sizes: PackageSizes, last: LastRelease): string {
  if (last.status === "first-release") return "first release";
  if (last.status === "unknown") return `unknown (${last.reason})`;
  const packed = formatDifference(sizes.packedBytes, last.packedBytes);
  const unpacked = formatDifference(sizes.unpackedBytes, last.unpackedBytes);
  return `${last.version}: packed ${packed}, unpacked ${unpacked}`;
}

function formatDifference(now: number, before: number): string {
  const bytes = now - before;
  if (bytes === 0) return "same";
  const sign = bytes > 0 ? "+" : "";
  const percent = before === 0 ? "" : ` (${sign}${((bytes / before) * 100).toFixed(1)} %)`;
  return `${sign}${formatBytes(bytes)}${percent}`;
}

function formatProblem({ package: name, code, message, hint }: Problem): string {
  return `✗ ${name}: ${message} (${code})${hint === undefined ? "" : `\n  fix: ${hint}`}`;
}

function formatLimit(bytes: number | undefined): string {
  return bytes === undefined ? "none" : formatBytes(bytes);
}

function markdownTable(header: string[], rows: string[][], right: number[]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const rule = header.map((_, column) => (right.includes(column) ? "--:" : "---"));
  return [line(header), line(rule), ...rows.map(line)].join("\n");
}
