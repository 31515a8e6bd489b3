/** Whose code it is. */
export interface ModIdentity {
  /** As the manifest has it. */
  name: string;
  /** As the manifest has it. */
  version: string;
  /** SHA-256 of the mod's manifest and modules, in hexadecimal. */
  digest: string;
}

/** A line that a mod wrote to its console. */
export interface ModLog {
  mod: ModIdentity;
  hook: string;
  level: "debug" | "info" | "warn" | "error";
  text: string;
  /** The text was longer than a line may be. */
  truncated: boolean;
}

/** A mod asked for an operation that it may not use. */
export interface OperationDenied {
  type: "operation-denied";
  mod: ModIdentity;
  hook: string;
  operation: string;
  /** The manifest does not ask for it, the host does not grant it, or the host has no such operation. */
  reason: "not-asked" | "not-granted" | "unknown";
}

/**
 * An operation of the host's threw, a `HostOperationError` or anything else, or gave what is no JSON within the
 * limits. The mod is not told why, unless it was a `HostOperationError`.
 */
export interface OperationFailed {
  type: "operation-failed";
  mod: ModIdentity;
  hook: string;
  operation: string;
  error: unknown;
}

/** A runner is ready. */
export interface RunnerStarted {
  type: "runner-started";
  pid: number;
  /** From the start of the process to its ready line, in milliseconds. */
  startMs: number;
  runnerVersion: string;
  v8Version: string;
  /** What the kernel enforces for it. */
  sandbox: { mode: string; enforced: object };
}

/** A runner's process is gone. */
export interface RunnerEnded {
  type: "runner-ended";
  pid: number;
  exitCode: number | null;
  signal: string | null;
  /** Why the host ended it; undefined where it ended by itself. */
  reason?: string;
  /** With the reason `fault`: what it said that no healthy runner says. */
  fault?: string;
}

/** What {@link ModHostOptions.onEvent} is told, by `type`. */
export type ModHostEvent = OperationDenied | OperationFailed | RunnerStarted | RunnerEnded;
