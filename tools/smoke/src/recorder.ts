import { exitCodes, formatError, redact, ToolError } from "@codex-js/cli-kit";
import type { CheckResult, SmokeEvent } from "./types.ts";

export interface Recorder {
  readonly checks: CheckResult[];
  /** Runs `work` and records how it ended; undefined when it failed. Rejects only when `signal` aborted. */
  run<T>(name: string, work: () => Promise<T>): Promise<{ value: T } | undefined>;
  skip(name: string, reason: string): void;
}

/** Turns the steps of one runtime into results and events; a failure never leaves it as an exception. */
export function createRecorder(
  runtime: string,
  signal: AbortSignal,
  onEvent: (event: SmokeEvent) => void,
): Recorder {
  const checks: CheckResult[] = [];
  return {
    checks,
    run: async (name, work) => {
      signal.throwIfAborted();
      onEvent({ runtime, check: name, state: "start" });
      const startedAt = performance.now();
      const durationMs = () => Math.round(performance.now() - startedAt);
      try {
        const value = await work();
        checks.push({ name, status: "passed", durationMs: durationMs() });
        onEvent({ runtime, check: name, state: "ok" });
        return { value };
      } catch (error) {
        signal.throwIfAborted();
        const message = describeFailure(error);
        checks.push({ name, status: "failed", durationMs: durationMs(), message, ...describeCode(error) });
        onEvent({ runtime, check: name, state: "failed", detail: message });
        return undefined;
      }
    },
    skip: (name, reason) => {
      checks.push({ name, status: "skipped", durationMs: 0, message: reason });
      onEvent({ runtime, check: name, state: "skipped", detail: reason });
    },
  };
}

function describeFailure(error: unknown): string {
  return error instanceof ToolError ? formatError(error).replace(/^error: /, "") : redact(formatError(error));
}

/** That a program failed says nothing about why. */
function describeCode(error: unknown): Pick<CheckResult, "code" | "external"> {
  if (!(error instanceof ToolError)) return {};
  const { code, exitCode } = error;
  const isExternal = exitCode === exitCodes.external && code !== "CODEX_JS_PROCESS_FAILED";
  return { code, ...(isExternal ? { external: true } : {}) };
}
