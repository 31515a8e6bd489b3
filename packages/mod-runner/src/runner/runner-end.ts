import type { ErrorMessage } from "../../generated/messages.ts";
import { ModError } from "../errors.ts";

/** How a runner's process ended. */
export interface RunnerEnd {
  exitCode: number | null;
  signal: string | null;
  /** Why this side ended it; undefined where it ended by itself. */
  killedFor?: KillReason;
  /** With `fault`: what the runner said that it may not say. */
  fault?: string;
  /** The end of its standard error. */
  stderr: string;
}

export type KillReason =
  | "fault"
  | "memory"
  | "timeout"
  | "cancel"
  | "start-timeout"
  | "retired"
  /** Its host was. */
  | "closed"
  /** Its server was, and the host was not. */
  | "server-closed";

export function createStartError(cause: Error): ModError {
  return new ModError("runner_unavailable", `the runner could not be started: ${cause.message}`, {
    hint: "reinstall @codex-js/mod-runner, and see that its folder is not mounted noexec",
    cause,
  });
}

export function describeStartFailure(end: RunnerEnd, told: ErrorMessage | undefined): ModError {
  if (told?.code === "sandbox_unavailable") {
    return new ModError("sandbox_unavailable", told.message, {
      hint: 'use a kernel with Landlock and seccomp, or accept less with sandbox: "best-effort"',
      stderr: end.stderr,
    });
  }
  if (end.killedFor === "closed") return new ModError("mod_cancelled", "the mod host was closed");
  const how = told?.message ?? end.fault ?? describeEnd(end);
  return new ModError("runner_unavailable", `the runner did not become ready: ${how}`, {
    stderr: end.stderr,
  });
}

/** `exit code 3`, `signal SIGKILL`, or why this side ended it. */
export function describeEnd({ exitCode, signal, killedFor, stderr }: RunnerEnd): string {
  if (killedFor === "start-timeout") return "it took too long";
  if (killedFor === "closed") return "the host was closed";
  const lastLine = stderr.trim().split("\n").at(-1) ?? "";
  const how = signal === null ? `exit code ${exitCode}` : `signal ${signal}`;
  return lastLine === "" ? how : `${how}: ${lastLine}`;
}
