import { diagnoseEngine } from "@codex-js/platforms/diagnose-engine";

/** Text for stderr: why there is no engine to run, and what mends it. */
export function explainMissingEngine(from: string): string {
  const { code, message, hint } = diagnoseEngine(from);
  return formatFailure(code, message, hint);
}

/** Text for stderr: the engine is there and the system refused to start it. */
export function explainStartFailure(executablePath: string, error: unknown): string {
  const reason = (error as NodeJS.ErrnoException).code ?? String(error);
  return formatFailure(
    "CODEX_JS_ENGINE_START_FAILED",
    `the engine could not be started (${reason}): ${executablePath}`,
    startRemedies[reason] ??
      "run the file by itself with --version to see what the system says, and reinstall",
  );
}

const startRemedies: Record<string, string> = {
  E2BIG: "pass a long prompt on stdin instead of as an argument",
  EAGAIN: "too many processes are running: end some, or raise the limit (ulimit -u)",
  ENOMEM: "free some memory and try again",
  EPERM: "allow this program in the security software or policy that blocked it",
};

function formatFailure(code: string, message: string, hint: string): string {
  return `error: ${message} (${code})\n  fix: ${hint}\n`;
}
