import { exitCodes, formatError } from "./doctor-error.ts";
import { planFixes, writeFix } from "./fix-config.ts";
import { type FixResult, formatJson } from "./format-json.ts";
import { formatReport } from "./format-report.ts";
import { type DoctorOptions, type DoctorResult, runDoctor } from "./run-doctor.ts";

export type { Progress } from "./run-doctor.ts";

export interface DoctorCommand extends DoctorOptions {
  json: boolean;
  fix: boolean;
  /** With `fix`: show the changes and make none. */
  dryRun: boolean;
}

export interface CommandResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** `codex-js doctor`. Rejects only when its signal is aborted, and for faults of its own. */
export async function runDoctorCommand(command: DoctorCommand): Promise<CommandResult> {
  try {
    const result = await runDoctor(command);
    const fix = command.fix ? applyFixes(result, command.dryRun) : undefined;
    return { exitCode: decideExitCode(result, fix), stdout: format(command, result, fix), stderr: "" };
  } catch (error) {
    command.signal.throwIfAborted();
    const exitCode = (error as { exitCode?: number }).exitCode ?? exitCodes.external;
    return { exitCode, stdout: "", stderr: formatError(error) };
  }
}

function applyFixes({ findings, files }: DoctorResult, dryRun: boolean): FixResult {
  const plans = planFixes(
    findings.flatMap(({ changes }) => changes),
    new Map(files.map(({ path, text }) => [path, text])),
  );
  return { plans, written: dryRun ? [] : plans.map(writeFix) };
}

/** After a fix, what is left to change is what `--fix` does not decide. */
function decideExitCode({ findings }: DoctorResult, fix: FixResult | undefined): number {
  const isWritten = fix !== undefined && fix.written.length > 0;
  const left = isWritten ? findings.filter(({ changes }) => changes.length === 0) : findings;
  return left.length === 0 ? exitCodes.nothingToChange : exitCodes.somethingToChange;
}

function format({ json, dryRun }: DoctorCommand, result: DoctorResult, fix: FixResult | undefined): string {
  if (json) return formatJson(result, fix);
  if (fix === undefined) return formatReport(result);
  const diffs = fix.plans.map(({ diff }) => diff).join("");
  if (dryRun) return diffs;
  const written = fix.written.map(({ path, backup }) =>
    backup === undefined ? `wrote ${path}\n` : `wrote ${path}; what it was is in ${backup}\n`,
  );
  const outcome = fix.plans.length === 0 ? "nothing to fix\n" : `${diffs}\n${written.join("")}`;
  return `${formatReport(result)}\n${outcome}`;
}
