import type { BenchDocument } from "../document/types.ts";

/** The CSS class of a side's colour. */
export type ColourOf = (side: string) => string;

const count = 6;

/** What is compared comes first and has the strongest colour; a side has one colour in all plots of a metric. */
export function chooseColours(document: BenchDocument, metric: string): ColourOf {
  const own = <T extends { metric: string }>(all: readonly T[]) => all.filter((one) => one.metric === metric);
  const present = new Set(own(document.series).map(({ side }) => side));
  const compared = own(document.comparisons).flatMap(({ side, baseline }) => [side, baseline]);
  const sides = [...new Set([...compared.filter((side) => present.has(side)), ...present])];
  return (side) => `c${(Math.max(0, sides.indexOf(side)) % count) + 1}`;
}
