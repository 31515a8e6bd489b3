import table from "../bounds.json" with { type: "json" };
import type { BenchDocument, Comparison } from "./document/types.ts";
import { formatRatio } from "./document/units.ts";
import { flagOf } from "./options.ts";

/** What a ratio must at least be; rows of bounds.json. */
export interface Bound {
  scenario: string;
  metric: string;
  side: string;
  baseline: string;
  /** Has to be the comparison's own; absent where it has none. */
  floor?: string;
  /**
   * A side that no implementation can beat. It changes nothing about the bound; where it misses the bound
   * itself, the check says so.
   */
  ceiling?: string;
  /** Text that the group's name must contain; absent: every group. */
  groupContains?: string;
  /**
   * By option of the scenario: of each of these its list has to have an entry that begins so. A run that left them
   * out was not asked for what the bound is about.
   */
  needs?: Record<string, string[]>;
  /** For the full form. */
  atLeast: number;
  /** For the short form, which is noisier and runs on shared machines. */
  shortAtLeast: number;
}

export interface BoundCheck {
  bound: Bound;
  required: number;
  /** Absent where the run has nothing to hold the bound against. */
  comparison?: Comparison;
  /** The ceiling's own ratio, where it is below what is required. */
  ceiling?: number;
  ok: boolean;
}

export const bounds: readonly Bound[] = table.bounds;

/**
 * One check for each bound and group of what the run was asked for. A bound that nothing was measured for all the
 * same is not met.
 */
export function checkBounds(document: BenchDocument, all: readonly Bound[] = bounds): BoundCheck[] {
  return selectBounds(document, all).flatMap((bound): BoundCheck[] => {
    const required = document.short ? bound.shortAtLeast : bound.atLeast;
    const found = document.comparisons.filter((comparison) => isAbout(bound, comparison));
    if (found.length === 0) return [{ bound, required, ok: false }];
    return found.map((comparison) => {
      const ceiling = findCeiling(bound, comparison, document);
      const isOutOfReach = ceiling !== undefined && ceiling < required;
      const ok = comparison.ratio === null ? isWithinFloor(comparison) : comparison.ratio >= required;
      return { bound, required, comparison, ok, ...(isOutOfReach ? { ceiling } : {}) };
    });
  });
}

/** What the run left out, and how many bounds are about it; undefined where it left nothing out. */
export function describeLeftOut(document: BenchDocument, all: readonly Bound[] = bounds): string | undefined {
  const own = all.filter(({ scenario }) => scenario === document.scenario);
  const asked = selectBounds(document, all);
  const left = own.filter((bound) => !asked.includes(bound));
  if (left.length === 0) return undefined;
  const options = new Set(left.flatMap(({ needs = {} }) => Object.keys(needs)).map(flagOf));
  return `${left.length} of ${own.length} bounds are about what ${[...options].join(" and ")} left out`;
}

function selectBounds({ scenario, options }: BenchDocument, all: readonly Bound[]): Bound[] {
  const isAskedFor = ({ needs = {} }: Bound) =>
    Object.entries(needs).every(([name, starts]) => {
      const chosen = (options[name] ?? []) as readonly string[];
      return starts.every((start) => chosen.some((one) => one.startsWith(start)));
    });
  return all.filter((bound) => bound.scenario === scenario && isAskedFor(bound));
}

/** A side that takes no longer than the floor alone: what it adds is too little to make a ratio of. */
function isWithinFloor({ floor, medians }: Comparison): boolean {
  return floor !== undefined && medians.side <= 0;
}

function findCeiling(bound: Bound, { group }: Comparison, document: BenchDocument): number | undefined {
  const found = document.comparisons.find(
    (one) => one.group === group && one.side === bound.ceiling && isAbout({ ...bound, side: one.side }, one),
  );
  return found?.ratio ?? undefined;
}

export function describeBoundCheck({ bound, required, comparison, ceiling, ok }: BoundCheck): string {
  const what = `${bound.metric}: ${bound.side} against ${bound.baseline}`;
  if (comparison === undefined) return `✗ ${what}: not measured, must be ≥ ${formatRatio(required)}`;
  const limit =
    ceiling === undefined ? "" : ` (out of reach here: ${bound.ceiling} has ${formatRatio(ceiling)})`;
  return `${ok ? "✓" : "✗"} ${what}, ${comparison.group}: ${formatRatio(comparison.ratio)}, must be ≥ ${formatRatio(required)}${limit}`;
}

function isAbout(bound: Bound, comparison: Comparison): boolean {
  return (
    comparison.metric === bound.metric &&
    comparison.side === bound.side &&
    comparison.baseline === bound.baseline &&
    comparison.floor === bound.floor &&
    (bound.groupContains === undefined || comparison.group.includes(bound.groupContains))
  );
}
