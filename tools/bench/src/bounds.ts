import table from "../bounds.json" with { type: "json" };
import type { BenchDocument, Comparison } from "./document/types.ts";
import { formatRatio } from "./document/units.ts";

/** What a ratio must at least be; rows of bounds.json. */
export interface Bound {
  scenario: string;
  metric: string;
  side: string;
  baseline: string;
  /** Has to be the comparison's own; absent where it has none. */
  floor?: string;
  /** Text that the group's name must contain; absent: every group. */
  groupContains?: string;
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
  ok: boolean;
}

export const bounds: readonly Bound[] = table.bounds;

/** One check for each bound and group. A bound that nothing was measured for is not met. */
export function checkBounds(document: BenchDocument, all: readonly Bound[] = bounds): BoundCheck[] {
  const own = all.filter(({ scenario }) => scenario === document.scenario);
  return own.flatMap((bound): BoundCheck[] => {
    const required = document.short ? bound.shortAtLeast : bound.atLeast;
    const found = document.comparisons.filter((comparison) => isAbout(bound, comparison));
    if (found.length === 0) return [{ bound, required, ok: false }];
    return found.map((comparison) => ({
      bound,
      required,
      comparison,
      ok: comparison.ratio !== null && comparison.ratio >= required,
    }));
  });
}

export function describeBoundCheck({ bound, required, comparison, ok }: BoundCheck): string {
  const what = `${bound.metric}: ${bound.side} against ${bound.baseline}`;
  if (comparison === undefined) return `✗ ${what}: not measured, must be ≥ ${formatRatio(required)}`;
  return `${ok ? "✓" : "✗"} ${what}, ${comparison.group}: ${formatRatio(comparison.ratio)}, must be ≥ ${formatRatio(required)}`;
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
