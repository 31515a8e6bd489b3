import { measureText } from "./text-width.ts";

export interface Segment {
  text: string;
  /** The lightest goes first where there is no room for all. */
  weight: number;
}

export function fitSegments(segments: readonly Segment[], columns: number, separator: string): Segment[] {
  let kept = [...segments];
  while (kept.length > 1 && measure(kept, separator) > columns) {
    const lightest = kept.reduce((least, segment) => (segment.weight < least.weight ? segment : least));
    kept = kept.filter((segment) => segment !== lightest);
  }
  return kept;
}

function measure(segments: readonly Segment[], separator: string): number {
  const texts = segments.reduce((sum, { text }) => sum + measureText(text), 0);
  return texts + measureText(separator) * (segments.length - 1);
}
