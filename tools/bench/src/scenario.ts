import { type CliContext, exitCodes, type Progress, ToolError } from "@codex-js/cli-kit";
import type { ComparisonSpec, MetricInfo, Sample } from "./document/types.ts";

/** One option of a scenario's command line, `--sample-seconds <n>`. */
export interface OptionSpec {
  /** As `options` of the context names it, `sampleSeconds`. */
  name: string;
  kind: "number" | "text" | "list";
  description: string;
  default: number | string | readonly string[];
  /** What `--short` uses unless the option was given; default: `default`. */
  short?: number | string | readonly string[];
  /** Numbers only; default 0. */
  min?: number;
}

export interface ScenarioContext extends CliContext {
  /** By the names in the scenario's `options`. */
  options: Record<string, unknown>;
  short: boolean;
  /** Absolute, the repository. */
  root: string;
  /** Absolute, outside of git: runtimes and package caches that may be kept between runs. */
  cacheDir: string;
  progress: Progress;
  /** Everything random comes from this. */
  seed: number;
}

/** What a scenario hands back; the framework adds machine, versions and statistics. */
export interface Measurement {
  metrics: Record<string, MetricInfo>;
  comparisons: ComparisonSpec[];
  /** In the order in which they were taken. */
  samples: Sample[];
  notes: string[];
  raw: unknown[];
  /** One line that says it all, for scenarios that have such a line. */
  summary?: string;
  /** What must not have happened; any of it fails the run, whatever its form. */
  problems?: string[];
}

export interface Scenario {
  /** The subcommand. */
  name: string;
  title: string;
  /** One line of `--help`. */
  description: string;
  options: OptionSpec[];
  /** Why this host cannot run it, if it cannot. */
  unsupported?(platform: NodeJS.Platform): string | undefined;
  run(context: ScenarioContext): Promise<Measurement>;
}

/** The option's value; its kind was checked on the command line. A name that no option has is a bug. */
export function numberOption(context: ScenarioContext, name: string): number {
  const value = context.options[name];
  if (typeof value === "number") return value;
  throw new Error(
    `${name} is ${JSON.stringify(value)}, expected a number: is it among the scenario's options?`,
  );
}

export function textOption(context: ScenarioContext, name: string): string {
  return context.options[name] as string;
}

export function listOption(context: ScenarioContext, name: string): string[] {
  return context.options[name] as string[];
}

/**
 * Which of `known` a list option names, in the order of `known`.
 * @throws ToolError CODEX_JS_BENCH_BAD_OPTION (usage)
 */
export function chooseFromList<Name extends string>(
  context: ScenarioContext,
  name: string,
  known: readonly Name[],
): Name[] {
  const names = listOption(context, name);
  const unknown = names.filter((one) => !known.some((candidate) => candidate === one));
  if (unknown.length === 0) return known.filter((candidate) => names.includes(candidate));
  throw new ToolError({
    code: "CODEX_JS_BENCH_BAD_OPTION",
    message: `--${name} has no ${unknown.join(", ")}`,
    hint: `it has ${known.join(", ")}`,
    exitCode: exitCodes.usage,
  });
}
