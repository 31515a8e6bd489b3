import type { ProcessSample } from "../processes/process-sample.ts";

/** Who runs the engine's server. */
export type TopologyName = "shared" | "own" | "embedded";

/** Whose processes are added up; `everything` is servers and TUIs. */
export type Role = "servers" | "tuis";

/** A durable thread in a project folder of its own; one harness shows it. */
export interface Project {
  dir: string;
  threadId: string;
  threadName: string;
}

/** All processes of one topology at one moment. */
export interface TopologySample {
  /** Milliseconds since the first sample of the run. */
  atMs: number;
  servers: ProcessSample[];
  tuis: ProcessSample[];
}
