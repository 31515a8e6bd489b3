import type { Expectation, KernelProbe } from "../probe.ts";
import { kernelProbes } from "../rows/kernel.ts";
import { runnerProbes } from "../table.ts";
import { closingText, groupTexts, openingText } from "./document-texts.ts";
import type { KernelResult, Results, SideResult } from "./results.ts";

/** docs/mod-runner-security.md, from the table and what was seen. */
export function formatDocument(results: Results): string {
  const sections = Object.entries(runnerProbes).map(([group, probes]) => {
    const rows = probes.map((probe) => {
      const { ours, node } = results.runner[`${group}/${probe.id}`]!;
      const nodeCell = node === undefined ? `not applicable: ${probe.notOnNode}` : formatSide(node);
      return [probe.id, probe.tries, formatExpectation(probe.expect), formatSide(ours), nodeCell];
    });
    return formatSection(group, ["probe", "what it tries", "has to be", "this runner", "Node"], rows);
  });
  const kernelRows = kernelProbes.map((row) => formatKernelRow(row, results.kernel[row.id]!));
  const kernel = formatSection(
    "kernel",
    ["probe", "what it tries", "attempts", "this runner", "Node"],
    kernelRows,
  );
  return `${[openingText(results), ...sections, kernel, closingText].join("\n").trimEnd()}\n`;
}

function formatSection(group: string, head: string[], rows: string[][]): string {
  const { title, text } = groupTexts[group as keyof typeof groupTexts];
  return `### ${title}\n\n${text}\n\n${formatTable([head, ...rows])}\n`;
}

/** As the formatter of this repository has it: columns as wide as their longest cell. */
function formatTable(rows: string[][]): string {
  const [head = [], ...rest] = rows;
  const widths = head.map((_, column) => Math.max(3, ...rows.map((row) => widthOf(row[column]!))));
  const formatRow = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell + " ".repeat(widths[column]! - widthOf(cell))).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [formatRow(head), rule, ...rest.map(formatRow)].join("\n");
}

function widthOf(text: string): number {
  return [...text].length;
}

function formatExpectation(expected: Expectation): string {
  if ("value" in expected) return formatCode(JSON.stringify(expected.value));
  return [expected.code].flat().map(formatCode).join(" or ");
}

function formatSide(result: SideResult): string {
  const { code, value, isExpected, isHealthy, traces, hasSurvived, isBounded } = result;
  const seen =
    code === "ok" ? (isExpected ? "that value" : formatCode(value ?? "no value")) : formatCode(code);
  const notes = [
    ...(hasSurvived ? [] : ["new process"]),
    ...(isHealthy || traces.length > 0 ? [] : ["**the next callback fails**"]),
    ...(traces.length > 0 ? [`**the next callback finds ${traces.join(", ")}**`] : []),
    ...(isBounded ? [] : ["**memory above the limit**"]),
  ];
  return [isExpected ? seen : `**${seen}**`, ...notes].join(", ");
}

function formatKernelRow({ id, tries, attempts }: KernelProbe, result: KernelResult): string[] {
  const { denied, killed, worksOutside } = result;
  const ours = [denied > 0 ? `${denied} denied` : "", killed > 0 ? `${killed} killed` : ""].filter(Boolean);
  const rest = attempts.length - worksOutside;
  const node = [
    ...(worksOutside > 0 ? [`**${worksOutside} work**`] : []),
    ...(rest > 0 ? [`${rest} not on that machine`] : []),
  ];
  return [id, tries, String(attempts.length), ours.join(", "), node.join(", ")];
}

/** Longer values are in the table's source. */
const shownLength = 60;

function formatCode(text: string): string {
  const short = text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
  return `\`${short.replaceAll("|", "\\|").replaceAll("`", "'")}\``;
}
