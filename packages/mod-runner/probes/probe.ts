import type { LineSession } from "./lines/line-session.ts";

/** The chapters of the table, in its order. */
export const groups = ["realm", "results", "cpu", "memory", "modules", "protocol", "kernel"] as const;
export type Group = (typeof groups)[number];

/** What came of a probe: `ok` and a value, or an error's code. */
export interface Outcome {
  code: string;
  value?: unknown;
}

/** What has to come of it: this value, or an error with this code, or with one of these. */
export type Expectation = { value: unknown } | { code: string | readonly string[] };

interface ProbeText {
  /** Unique; kebab-case. */
  id: string;
  /** What is tried, in a few words for the table. */
  tries: string;
}

interface ComparableProbe extends ProbeText {
  expect: Expectation;
  /** Why the same question makes no sense of the Node baseline. */
  notOnNode?: string;
}

/** A mod that does what it should not; run by the host library. */
export interface ModProbe extends ComparableProbe {
  /** The text of `main.ts`, or files by path with one of that name. */
  mod: string | Readonly<Record<string, string>>;
  /** The hook's module, where it is not `main.ts`. */
  entry?: string;
  /** Milliseconds. Default 5,000. */
  budgetMs?: number;
}

/** What the host library itself has to hold: it gets a folder to put a mod in. */
export interface HostProbe extends ComparableProbe {
  run: (scene: HostScene) => Promise<Outcome>;
}

export interface HostScene {
  /** An empty folder for the mod. */
  dir: string;
  /** A folder beside it with `secret.json`, which no mod may ever see. */
  outside: string;
  /** Loads the folder's mod and runs its hook `probe`. */
  runMod(): Promise<Outcome>;
  /** The id of the runner's process that was started last. */
  runnerPid(): number;
  /** Called with what each call of the operation `pause` brings; it settles never. */
  onPause(listener: () => void): void;
}

/** Bytes to a runner, where the host library would hide or refuse them. */
export interface LineProbe extends ComparableProbe {
  speak: (session: LineSession) => Promise<Outcome>;
}

/** What machine code in the runner's process could try; done by `kernel-probe` under the same sandbox. */
export interface KernelProbe extends ProbeText {
  /** Names of `kernel-probe --list`. */
  attempts: readonly string[];
}

/** Whether that is what had to come of it. */
export function isExpected(outcome: Outcome, expected: Expectation): boolean {
  if ("value" in expected) {
    return outcome.code === "ok" && JSON.stringify(outcome.value) === JSON.stringify(expected.value);
  }
  return [expected.code].flat().includes(outcome.code);
}
