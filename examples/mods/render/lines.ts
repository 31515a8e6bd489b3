/** `a a a` → `a (3 times)`, line by line. */
export function foldRepeated(lines: readonly string[]): string[] {
  const folded: string[] = [];
  for (let start = 0; start < lines.length; ) {
    const line = lines[start]!;
    let end = start + 1;
    while (end < lines.length && lines[end] === line) end += 1;
    folded.push(end - start > 1 && line !== "" ? `${line} (${end - start} times)` : line);
    start = end;
  }
  return folded;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Pieces of at most `columns` characters as people count them. */
export function wrapLine(line: string, columns: number): string[] {
  const characters = Array.from(graphemes.segment(line), ({ segment }) => segment);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += columns)
    pieces.push(characters.slice(at, at + columns).join(""));
  return pieces.length === 0 ? [""] : pieces;
}
