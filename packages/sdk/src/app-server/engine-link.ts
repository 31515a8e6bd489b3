import type { InitializeResponse } from "@codex-js/protocol";
import type { CodexError } from "../errors.ts";
import type { Connection } from "./connection.ts";

/**
 * - `idle`: not started yet
 * - `starting`: on its way to the first answer
 * - `ready`: connected
 * - `closing`: being closed by this side
 * - `closed`: closed by this side, for good
 * - `crashed`: gone by itself; the next call starts or joins a new one
 */
export type EngineState = "idle" | "starting" | "ready" | "closing" | "closed" | "crashed";

/** What changed, for whoever watches. */
export interface EngineStateChange {
  state: EngineState;
  previous: EngineState;
  /** Why, where something failed. */
  error?: CodexError;
}

/** A connection that is ready, and the engine behind it. */
export interface ReadyEngine {
  connection: Connection;
  /** What the engine said of itself. */
  server: InitializeResponse;
  /** Counts from 1; threads that were loaded in an earlier one are no longer there in this. */
  generation: number;
}

/** Something that can be asked for a connection to an engine, again after the last one was lost. */
export interface EngineLink {
  readonly state: EngineState;
  onStateChange(listener: (change: EngineStateChange) => void): () => void;
  /** The connection, started or joined first where there is none. */
  ensure(): Promise<ReadyEngine>;
  /** Closes for good; does nothing the second time. */
  close(): Promise<void>;
}
