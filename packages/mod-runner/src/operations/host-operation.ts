import type { ModIdentity } from "../events.ts";

/** What an operation is told besides its input. */
export interface OperationContext {
  mod: ModIdentity;
  hook: string;
  /** Aborted when the callback has ended: nobody waits for the value any more. */
  signal: AbortSignal;
}

/**
 * Something that a host does for mods. The input is any JSON value, chosen by untrusted code: check it. The
 * value goes to the mod as JSON; undefined becomes null. What is no JSON within the limits, or has a key `__proto__`,
 * is a failed operation.
 */
export type HostOperation = (input: unknown, context: OperationContext) => unknown;

/** Operations by the names that mods call. */
export type HostOperations = Readonly<Record<string, HostOperation>>;

/**
 * Thrown by an operation to tell the mod why it failed. Of any other error the mod learns only that there was
 * one, since its message may hold what a mod must not know.
 */
export class HostOperationError extends Error {
  /** The mod sees it as the error's `code`: its first 128 bytes as UTF-8. Of the message it sees 8,192. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "HostOperationError";
    this.code = code;
  }
}
