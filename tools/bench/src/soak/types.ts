/** What the program under soak is told, as JSON in argv. */
export interface SoakPlan {
  /** URL of the SDK's built module. */
  sdk: string;
  /** Absolute, of the engine. */
  binary: string;
  workDir: string;
  turns: number;
  /** Threads that run turns at the same time. */
  threads: number;
  /** After so many turns a worker goes on with a new thread. */
  turnsPerThread: number;
  /** Turns between two looks at memory and descriptors, which are taken while no turn runs. */
  turnsPerRound: number;
  seed: number;
}

/** What a turn is like. */
export type TurnKind = "answer" | "stream" | "command";

/** How it ended, as the program was told. */
export type TurnEnd =
  /** `run()` has come back with the answer that belongs to the turn. */
  | "completed"
  /** `run()` has come back with something else. */
  | "wrong answer"
  /** By the program's own signal. */
  | "aborted"
  /** The error says that the engine ended. */
  | "crashed"
  /** Never started: the thread went away with an engine that had not saved it yet. */
  | "thread lost"
  /** Any other error. */
  | "failed";

export interface TurnReport {
  event: "turn";
  turn: number;
  kind: TurnKind;
  worker: number;
  /** Null when the turn ended before its thread had an id. */
  threadId: string | null;
  end: TurnEnd;
  /** Of the error, or what was wrong. */
  detail?: string;
  /** Whether it was meant to be aborted. */
  abort: boolean;
  ms: number;
}

/** The program itself, at rest, after a collection. */
export interface RestReport {
  event: "rest";
  turns: number;
  heapKib: number;
  rssKib: number;
  descriptors: number;
  /** Clients so far: a client gives up after five crashes in three minutes, and the program makes a new one. */
  clients: number;
}

interface EndReport {
  event: "end";
  clients: number;
}

export type SoakReport = TurnReport | RestReport | EndReport;

/** What a prompt looks like; the mock model reads it. */
export function formatPrompt(turn: number, kind: TurnKind, delayMs: number): string {
  return `soak ${turn} ${kind} ${delayMs}`;
}

export function parsePrompt(text: string): { turn: number; kind: TurnKind; delayMs: number } | undefined {
  const match = /^soak (\d+) (answer|stream|command) (\d+)$/.exec(text);
  return match === null
    ? undefined
    : { turn: Number(match[1]), kind: match[2] as TurnKind, delayMs: Number(match[3]) };
}

export function createAnswer(turn: number): string {
  return `the answer to turn ${turn}, which is long enough to be cut into pieces`;
}
