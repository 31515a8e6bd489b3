/**
 * For authors of mods: what a hook is, and what it gets. Types alone; there is nothing to import at run
 * time: `import type { Hook } from "@codex-js/mod-runner/mod";`. What there is in a mod's realm besides the
 * language is in `@codex-js/mod-runner/realm`.
 *
 * @packageDocumentation
 */

/** What goes in and comes out of a mod. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** The second argument of every hook: what the mod may ask of its host. */
export interface Host {
  /**
   * Waits for `ms` milliseconds, and for as long as the budget lasts at most. Needs no grant.
   */
  call(operation: "time.sleep", input: { ms: number }): Promise<null>;
  /**
   * Asks the host for something that the manifest's `grants` name. What comes back is the host's to say;
   * `Output` is what the mod expects.
   * @throws HostError - `host_operation_denied` without a grant, `host_operation_failed`, or the host's code
   */
  call<Output = JsonValue>(operation: string, input?: unknown): Promise<Output>;
}

/** What a promise of {@link Host.call} is rejected with. */
export interface HostError extends Error {
  name: "HostError";
  code: string;
}

/**
 * A function that a host calls. It returns JSON or a promise of it; `undefined` becomes `null`. It has no
 * event loop: nothing but {@link Host.call} can take time.
 */
export type Hook<Input = unknown, Output = unknown> = (input: Input, host: Host) => Output | Promise<Output>;
