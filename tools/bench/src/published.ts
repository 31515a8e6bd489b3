import table from "../published.json" with { type: "json" };
import type { BenchDocument, Comparison } from "./document/types.ts";

/** A figure that somebody else published; rows of published.json. */
export interface PublishedFigure {
  scenario: string;
  label: string;
  before: string;
  after: string;
  /** Theirs, before ÷ after. */
  ratio: number;
  /** What ours is meant to be at least; null where it is only shown. */
  target: number | null;
  /** Which of our comparisons is about the same thing. */
  compare: { metric: string; side: string; baseline: string; group?: string };
}

export interface FigureRow {
  figure: PublishedFigure;
  comparison: Comparison;
}

export const publishedSource: string = table.source;
export const publishedFigures: readonly PublishedFigure[] = table.figures;

/** The published figures that `document` has something of its own to put beside. */
export function matchPublished(
  document: BenchDocument,
  figures: readonly PublishedFigure[] = publishedFigures,
): FigureRow[] {
  return figures.flatMap((figure) => {
    if (figure.scenario !== document.scenario) return [];
    return document.comparisons
      .filter((comparison) => isSame(figure, comparison))
      .map((comparison) => ({ figure, comparison }));
  });
}

function isSame({ compare }: PublishedFigure, comparison: Comparison): boolean {
  return (
    comparison.floor === undefined &&
    comparison.metric === compare.metric &&
    comparison.side === compare.side &&
    comparison.baseline === compare.baseline &&
    (compare.group === undefined || comparison.group === compare.group)
  );
}
