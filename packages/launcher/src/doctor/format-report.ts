import { type Finding, findBase, type Measured } from "./find-changes.ts";
import type { DoctorResult } from "./run-doctor.ts";
import { compareRounds, medianOf, readTotal } from "./statistics.ts";

const promise = [
  "Measured on a copy of your config.toml, against a model inside this program: no tokens were spent, no login",
  "was read, measuring wrote nothing to your own folder. MCP servers and exporters were run as they are configured.",
];

/** One screen: what a run costs, what that is made of, what to change. */
export function formatReport(result: DoctorResult): string {
  const { files, engineVersion, measured } = result;
  const runs = measured[0]?.samples.length ?? 0;
  const sections = [
    [`${files.map(({ path }) => path).join(" + ")}, engine ${engineVersion}, medians of ${runs} runs`],
    formatTable([["what a run costs", "median", "share"], ...listCosts(measured)]),
    formatTable([["of which", "adds", "share"], ...listParts(measured)]),
    formatFindings(result.findings),
    result.notes.map((note) => `note: ${note}`),
    promise,
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function listCosts([base]: readonly Measured[]): string[][] {
  const samples = base?.samples ?? [];
  const totalMs = medianOf(samples, readTotal);
  const row = (what: string, ms: number | undefined) => [what, formatMs(ms), formatShare(ms, totalMs)];
  const lingerMs = medianOf(samples, ({ lingerMs: ms }) => ms) ?? 0;
  return [
    row(
      "start, until ready",
      medianOf(samples, ({ readyMs }) => readyMs),
    ),
    row(
      "first turn",
      medianOf(samples, ({ turnMs }) => turnMs),
    ),
    row(
      "exit",
      medianOf(samples, ({ exitMs }) => exitMs),
    ),
    row("together", totalMs),
    ...(lingerMs === 0 ? [] : [["processes left behind, for", formatMs(lingerMs), ""]]),
  ];
}

/** What leaving each part out saves: exporters on the exit, servers on the turn and the exit. */
function listParts(measured: readonly Measured[]): string[][] {
  const totalMs = medianOf(measured[0]?.samples ?? [], readTotal);
  return measured.slice(1).map((one) => {
    const { scenario, samples } = one;
    const base = findBase(measured, one);
    const phases = scenario.server === undefined ? (["exitMs"] as const) : (["turnMs", "exitMs"] as const);
    const differences = phases.map((phase) => compareRounds(base.samples, samples, phase));
    if (differences.every(({ rounds }) => rounds === 0)) return [scenario.label, "not measured", ""];
    const clear = differences.filter(({ isClear }) => isClear);
    if (clear.length === 0) return [scenario.label, "nothing clear", ""];
    const ms = clear.reduce((sum, { savesMs }) => sum + savesMs, 0);
    return [scenario.label, formatMs(ms), formatShare(ms, totalMs)];
  });
}

function formatFindings(findings: readonly Finding[]): string[] {
  if (findings.length === 0) return ["nothing to change"];
  const lines = findings.flatMap(({ message, advice, savesMs }, index) => [
    `${index + 1}. ${message}`,
    ...advice.map((line, at) => {
      const saves = at === advice.length - 1 && savesMs !== null ? `  saves ${formatMs(savesMs)}` : "";
      return `   ${line}${saves}`;
    }),
  ]);
  const isFixable = findings.some(({ changes }) => changes.length > 0);
  return ["what to change", ...lines, ...(isFixable ? ["codex-js doctor --fix writes it"] : [])];
}

function formatTable(rows: readonly string[][]): string[] {
  if (rows.length < 2) return [];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map(([what, value, share]) =>
    `${what!.padEnd(widths[0]!)}  ${value!.padStart(widths[1]!)}  ${share!.padStart(widths[2]!)}`.trimEnd(),
  );
}

/** `12 ms`, `1.91 s`. */
function formatMs(ms: number | undefined): string {
  if (ms === undefined) return "–";
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

function formatShare(ms: number | undefined, totalMs: number | undefined): string {
  return ms === undefined || totalMs === undefined ? "" : `${Math.round((ms / totalMs) * 100)} %`;
}
