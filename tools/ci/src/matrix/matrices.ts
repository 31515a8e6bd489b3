import { targets } from "@codex-js/platforms";
import { runtimeSpecs } from "@codex-js/smoke";
import runners from "./runners.json" with { type: "json" };

/** One job of a matrix: what `include` of a workflow's matrix takes. */
export type Job = Record<string, string>;

const [linux, ...elsewhere] = runners.everywhere as [string, ...string[]];

/** Their drivers are TypeScript, which Node 20 does not run. */
const benchRuntimes = runtimeSpecs.map(({ id }) => id).filter((id) => id !== "node20");
/** Where ratios are looked at besides Linux: one runtime of each kind. */
const benchRuntimesElsewhere = ["node24", "bun"];

/** Scenarios that are about a runtime, and those that are about the engine or the tools, whatever runs them. */
export const benchScenarios = {
  perRuntime: ["turns", "jsonl", "soak", "launch"],
  once: ["topology", "toolchain", "mod-runner"],
} as const;

/**
 * Each is made of the one table that knows: targets.json, runtimes.json. What is here besides is only which
 * machine of GitHub's a job runs on.
 */
export const matrices = {
  /** A native build for each target that has a mod runner, on a machine of its own kind. */
  native: () =>
    targets
      .filter(({ modRunner }) => modRunner !== false)
      .map(({ id, triple }) => ({
        target: id,
        triple,
        os: runners.targets[id as keyof typeof runners.targets],
      })),
  /** Smokes of what was published: every runtime on every system. */
  smoke: () => runners.everywhere.flatMap((os) => runtimeSpecs.map(({ id }) => ({ os, runtime: id }))),
  /** The short form: all scenarios of a runtime in one job. */
  bench: () => [
    ...benchRuntimes.map((runtime) => ({ os: linux, runtime })),
    ...elsewhere.flatMap((os) => benchRuntimesElsewhere.map((runtime) => ({ os, runtime }))),
  ],
  /** The full form: each scenario by itself, on Linux, where all of them run. */
  nightly: () =>
    benchRuntimes.flatMap((runtime) =>
      listScenarios(runtime).map((scenario) => ({ os: linux, runtime, scenario })),
    ),
} satisfies Record<string, () => Job[]>;

/** In the order in which they are run. */
export function listScenarios(runtime: string): string[] {
  return [...benchScenarios.perRuntime, ...(runtime === "node24" ? benchScenarios.once : [])];
}
