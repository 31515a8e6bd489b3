import type { EngineCommand } from "../engine-child.ts";

/**
 * What happens when the running server's engine is not the caller's version:
 * - `upgrade`: an older one is replaced, as after an update of the package (openai/codex#39440); a newer one
 *   is an error, or two programs with different pins would replace each other's server in turns
 * - `replace`: it is replaced, whichever is newer
 * - `error`: it is an error
 */
export type VersionMismatch = "upgrade" | "replace" | "error";

/** How a program treats the shared server. */
export interface SharedServerBehaviour {
  /** Default `upgrade`. */
  onVersionMismatch?: VersionMismatch;
  /**
   * Milliseconds without any program after which the server ends; default 600,000. It is seen to once in
   * such a period, so it may take two. Counts for the program that starts the server.
   */
  idleTimeoutMs?: number;
  /** Milliseconds that running turns may still take after that; default 3,600,000. */
  drainLimitMs?: number;
  /** Milliseconds until a server that was started is ready; default 20,000. */
  startTimeoutMs?: number;
  /**
   * Milliseconds to wait for a moment without running turns to replace a server in, or for one that is
   * idle to finish the turns that were left behind; default 60,000. They are never cut off.
   */
  drainTimeoutMs?: number;
  /** Where sockets and state are kept; default `/tmp/codex-js-UID`. The same for all programs that share. */
  stateDir?: string;
}

export interface SharedServerOptions extends SharedServerBehaviour {
  /**
   * The engine and its arguments up to `--listen`, for example `["app-server", "-c", "model=…"]`. What they
   * say holds for everybody who joins, so a server with other arguments is not joined but refused. Its
   * environment is that of the program that started it.
   */
  command: () => EngineCommand | Promise<EngineCommand>;
  /** @internal Must not get into an error. */
  secrets?: Set<string | undefined>;
  /** The version of that engine, for example `0.171.0`. Default: what it says of itself, which takes a start of it. */
  engineVersion?: string;
}

export const sharedDefaults = {
  onVersionMismatch: "upgrade",
  idleTimeoutMs: 600_000,
  drainLimitMs: 3_600_000,
  startTimeoutMs: 20_000,
  drainTimeoutMs: 60_000,
} as const satisfies Partial<SharedServerOptions>;
