/**
 * One thing that the fake runner does. In texts, `$ID` is the id of the line that it answers, `$REQUEST` the
 * next number of a host request, `$LINE` the last line that it read.
 */
export type FakeStep =
  /** Writes a line, as JSON. */
  | { line: unknown }
  /** Writes a text as it is, or bytes in base64, on stdout. */
  | { text: string }
  | { base64: string }
  /** Writes a text over and over, up to this many bytes. */
  | { repeat: string; bytes: number }
  | { stderr: string }
  /** Answers with `result`, or `loaded`. */
  | { answer: unknown }
  | { error: { code: string; message: string; [key: string]: unknown } }
  /** Reads on until a line of this type has come. */
  | { read: string }
  | { exit: number }
  | { kill: string }
  /** Has so many bytes of memory more, and keeps them. */
  | { allocate: number }
  /** Reads nothing more, but lives on. */
  | { deafen: true }
  /** Writes an empty file. */
  | { touch: string }
  /** Waits until that file is there. */
  | { await: string };

export interface FakePlan {
  /** Before any line is read. Default: `ready`. */
  start?: FakeStep[];
  /** For each `callback`, `load` and `render`, in their order; the last is repeated. */
  turns?: FakeStep[][];
  /** Lives on when its stdin has ended. */
  ignoresEnd?: boolean;
  /** Where it writes every line that it reads. */
  journal?: string;
  /** Where it writes its process id. */
  pidFile?: string;
}

export const ready = {
  type: "ready",
  ready: true,
  protocolVersion: 1,
  runnerVersion: "0.0.0-fake",
  v8Version: "none",
  pid: 1,
  sandbox: { mode: "require", enforced: {} },
};

export const usage = {
  elapsedMs: 1,
  cpuMs: 1,
  heapBytes: 1000,
  externalBytes: 0,
  hostRequests: 0,
  logsDropped: 0,
};
