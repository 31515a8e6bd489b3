import type { ModError } from "../index.ts";
import type { CheckResult, ModProblem } from "./check-mod.ts";
import type { RunModResult } from "./run-mod.ts";

export function formatCheck(result: CheckResult, isJson: boolean): string {
  if (isJson) return formatJson({ ...result });
  const { mod, digest, hooks, typescript, problems } = result;
  if (problems.length === 0) {
    return `${mod} is fine: ${count(hooks.length, "hook")} (${hooks.join(", ")}), TypeScript ${typescript}, digest ${digest}\n`;
  }
  return `${problems.map(formatProblem).join("\n")}\n${mod}: ${count(problems.length, "problem")}\n`;
}

function formatProblem({ code, message, file, line, column, codeFrame, hint }: ModProblem): string {
  const place =
    file === undefined ? "" : `${[file, line, column].filter((part) => part !== undefined).join(":")}: `;
  const frame = codeFrame === undefined ? "" : `\n${codeFrame}`;
  return `${place}${message} (${code})${frame}${hint === undefined ? "" : `\n  fix: ${hint}`}`;
}

export function formatRun(run: RunModResult, isJson: boolean): { stdout: string; stderr?: string } {
  const { mod, digest, hook, result } = run;
  const { value, stats } = result;
  if (isJson) return { stdout: formatJson({ mod, digest, hook, value, stats }) };
  const memory = [
    `heap ${formatBytes(stats.heapBytes)}`,
    ...(stats.externalBytes === 0 ? [] : [`buffers ${formatBytes(stats.externalBytes)}`]),
    ...(stats.peakRssBytes === undefined ? [] : [`process ${formatBytes(stats.peakRssBytes)} at most`]),
  ];
  const time = `${formatMs(stats.elapsedMs)} (${formatMs(stats.cpuMs)} of processor), runner ready in ${formatMs(stats.waitedMs)}`;
  return {
    stdout: `${JSON.stringify(value, null, 2)}\n`,
    stderr: `${mod}, hook ${hook}: ${time}; ${memory.join(", ")}; ${count(stats.hostRequests, "host operation")}\n`,
  };
}

export function formatFailure(error: ModError, hint: string | undefined, isJson: boolean): string {
  const { code, message, location, frames, codeFrame, stats, syntaxCode } = error;
  if (isJson) {
    return formatJson({ error: { code, message, hint, syntaxCode, location, frames, codeFrame, stats } });
  }
  const lines = [
    `error: ${message} (${code})`,
    ...(codeFrame === undefined ? [] : [codeFrame]),
    ...frames.map(
      ({ function: name = "", module, line, column }) => `  at ${name} ${module}:${line}:${column}`,
    ),
    ...(hint === undefined ? [] : [`  fix: ${hint}`]),
  ];
  return `${lines.join("\n")}\n`;
}

/** A command line that is wrong. */
export function formatUsage(message: string, isJson: boolean): string {
  const [code, hint] = ["CODEX_JS_MOD_USAGE", "codex-js-mod --help lists what there is"];
  return isJson
    ? formatJson({ error: { code, message, hint } })
    : `error: ${message} (${code})\n  fix: ${hint}\n`;
}

function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}

function formatJson(fields: object): string {
  return `${JSON.stringify({ version: 1, ...fields }, null, 2)}\n`;
}

function formatMs(ms: number | undefined): string {
  return ms === undefined ? "?" : `${ms.toFixed(1)} ms`;
}

/** Powers of 1000. */
function formatBytes(bytes: number | undefined): string {
  return bytes === undefined ? "?" : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
