import { existsSync } from "node:fs";
import {
  CodexError,
  CodexExitError,
  createAbortError,
  createStartError,
  EngineCrashedError,
  RpcError,
} from "../../errors.ts";
import { findExitHint } from "../../exit-hints.ts";
import { findGitRoot } from "./git-repository.ts";

/** What exec writes to stderr before anything that can go wrong with a turn. */
const preamble = "Reading prompt from stdin...\n";

/** An exit of exec that did not take place, because there is no exec: the same error, the same message. */
export function createExecFailure(stderr: string, cause?: unknown): CodexExitError {
  return createEarlyFailure(`${preamble}${stderr}`, { cause });
}

/** One that exec ends with before it looks at its prompt. */
function createEarlyFailure(
  stderr: string,
  options: { cause?: unknown; hint?: string | undefined },
): CodexExitError {
  return new CodexExitError({ exitCode: 1, signal: null, stderr }, options);
}

/**
 * Refuses what exec refuses before it starts a thread.
 * @throws CodexExitError
 */
export function checkPlace(workingDir: string, skipGitRepoCheck: boolean): void {
  if (!existsSync(workingDir)) {
    const stderr = "Error: No such file or directory (os error 2)\n";
    throw createEarlyFailure(stderr, { hint: findExitHint(stderr, workingDir) });
  }
  if (skipGitRepoCheck || findGitRoot(workingDir) !== undefined) return;
  throw createExecFailure("Not inside a trusted directory and --skip-git-repo-check was not specified.\n");
}

/** What a program sees of an error of the persistent engine where exec has words of its own for it. */
export function toContractError(error: unknown, signal: AbortSignal | undefined): unknown {
  if (!(error instanceof CodexError)) return error;
  if (error.code === "ABORT_ERR") return signal?.aborted ? createAbortError(signal) : error;
  const exit = error instanceof EngineCrashedError ? error : error.cause;
  if (exit instanceof EngineCrashedError) {
    const { exitCode, signal: endedBy } = exit;
    const stderr = exit.stderr === "" ? "" : `${exit.stderr}\n`;
    return new CodexExitError({ exitCode, signal: endedBy, stderr }, { cause: error, turn: exit });
  }
  const setting = /^thread\/(?:start|resume) failed: failed to load configuration: (.*) \(-?\d+\)$/s.exec(
    error.message,
  )?.[1];
  if (setting !== undefined) return createEarlyFailure(`Error: ${setting}\n`, { cause: error });
  if (error instanceof RpcError) {
    const reason = error.message.replace(/ \((-?\d+)\)$/, " (code $1)");
    return createExecFailure(`Error: ${error.method}: ${reason}\n`, error);
  }
  if (error.code === "CODEX_JS_SDK_ENGINE_NOT_STARTED" && isSpawnError(error.cause)) {
    return createStartError(error.cause);
  }
  return error;
}

function isSpawnError(cause: unknown): cause is Error {
  return cause instanceof Error && "syscall" in cause && String(cause.syscall).startsWith("spawn");
}
