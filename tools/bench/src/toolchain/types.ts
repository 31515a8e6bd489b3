import type { ScenarioContext } from "../scenario.ts";

/** One timed run of a program. */
export interface Step {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** Codes that count as done; default `[0]`. A type check that finds something has still checked everything. */
  okExitCodes?: readonly number[];
}

interface ToolSide {
  name: string;
  /** Brings about the state that the run starts from; not timed. */
  prepare?: () => Promise<void>;
  step: Step;
}

/** Sides that do the same thing, timed after each other in alternated order. */
export interface ToolTask {
  metric: string;
  /** For people: `warm install, node_modules removed`. */
  label: string;
  sides: ToolSide[];
  comparisons: { side: string; baseline: string }[];
}

export interface TaskPlace {
  context: ScenarioContext;
  /** Absolute, empty, removed afterwards; the part's own. */
  dir: string;
}

/** Makes its tasks ready to be timed. What it throws leaves the part out of the run, with a note. */
export interface ToolPart {
  name: string;
  plan(place: TaskPlace): Promise<ToolTask[]>;
}
