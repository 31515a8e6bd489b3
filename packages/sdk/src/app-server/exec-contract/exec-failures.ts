import { existsSync } from "node:fs";
import { CodexError, CodexExitError, createAbortError, createStartError } from "../../errors.ts";
import { AppServerError, EngineCrashedError, RpcError } from "../errors.ts";
import { findGitRoot } from "./git-repository.ts";

/** What exec writes to stderr before anything that can go wrong with a turn. */
const preamble = "Reading prompt from stdin...\n";

/** An exit of exec that did not take place, because there is no exec: the same error, the same message. */
export function createExecFailure(stderr: string, cause?: unknown): CodexExitError {
  return new CodexExitError({ exitCode: 1, signal: null, stderr: `${preamble}${stderr}` }, cause);
}

/** One that exec ends with before it looks at its prompt. */
function createEarlyFailure(stderr: string, cause?: unknown): CodexExitError {
  return new CodexExitError({ exitCode: 1, signal: null, stderr }, cause);
}

/**
 * Refuses what exec refuses before it starts a thread.
 * @throws CodexExitError
 */
export function checkTurn(prompt: string, workingDir: string, skipGitRepoCheck: boolean): void {
  if (!existsSync(workingDir)) {
    throw createEarlyFailure("Error: No such file or directory (os error 2)\n");
  }
  if (prompt.trim() === "") throw createExecFailure("No prompt provided via stdin.\n");
  if (skipGitRepoCheck || findGitRoot(workingDir) !== undefined) return;
  throw createExecFailure("Not inside a trusted directory and --skip-git-repo-check was not specified.\n");
}

export interface FailureContext {
  signal: AbortSignal | undefined;
  /** Must not get into a message. */
  apiKey: string | undefined;
}

/** What a program sees of an error of the persistent engine: what exec would have made of it. */
export function toContractError(error: unknown, { signal, apiKey }: FailureContext): unknown {
  if (!(error instanceof AppServerError)) return error;
  const hide = (text: string) => (apiKey ? text.replaceAll(apiKey, "***") : text);
  const exit = error instanceof EngineCrashedError ? error : error.cause;
  if (error.code === "ABORT_ERR") return signal?.aborted ? createAbortError(signal) : error;
  if (exit instanceof EngineCrashedError) {
    const { exitCode, signal: endedBy, threadId, turnId } = exit;
    const stderr = exit.stderr === "" ? "" : `${hide(exit.stderr)}\n`;
    return new CodexExitError({ exitCode, signal: endedBy, stderr, threadId, turnId }, error);
  }
  const setting = /^thread\/(?:start|resume) failed: failed to load configuration: (.*) \(-?\d+\)$/s.exec(
    error.message,
  )?.[1];
  if (setting !== undefined) return createEarlyFailure(`Error: ${setting}\n`, error);
  if (error instanceof RpcError) {
    const reason = error.message.replace(/ \((-?\d+)\)$/, " (code $1)");
    return createExecFailure(`Error: ${error.method}: ${hide(reason)}\n`, error);
  }
  if (error.code === "CODEX_JS_SDK_ENGINE_NOT_STARTED" && error.cause instanceof Error) {
    return createStartError(error.cause);
  }
  return new CodexError(error.code, hide(error.message), {
    cause: error,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  });
}
