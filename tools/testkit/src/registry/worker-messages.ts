import type { createVerdaccioConfig } from "./verdaccio-config.ts";

/** What the worker is started with. */
export interface WorkerInput {
  config: ReturnType<typeof createVerdaccioConfig>;
  host: string;
  port: number;
}

/** What the worker reports. */
export type WorkerOutput =
  | { type: "listening"; port: number }
  | { type: "failed"; code: string | undefined; message: string }
  | { type: "log"; line: string }
  | { type: "closed" };
