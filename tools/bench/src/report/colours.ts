import type { BenchDocument } from "../document/types.ts";

/** The CSS class of a side's colour. */
export type ColourOf = (side: string) => string;

const count = 6;

/** What is compared comes first and has the strongest colour; one side has one colour in a whole section. */
export function chooseColours(document: BenchDocument): ColourOf {
  const compared = document.comparisons.flatMap(({ side, baseline }) => [side, baseline]);
  const sides = [...new Set([...compared, ...document.series.map(({ side }) => side)])];
  return (side) => `c${(Math.max(0, sides.indexOf(side)) % count) + 1}`;
}
