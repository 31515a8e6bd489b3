/** `1234` → `1.2 kB` (powers of 1000, as npm prints sizes). */
export function formatBytes(bytes: number): string {
  const sign = bytes < 0 ? "-" : "";
  const size = Math.abs(bytes);
  if (size < 1000) return `${sign}${size} B`;
  if (size < 1_000_000) return `${sign}${(size / 1000).toFixed(1)} kB`;
  return `${sign}${(size / 1_000_000).toFixed(1)} MB`;
}

/** `950` → `950 ms`, `65000` → `1 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Columns padded to the widest cell; columns named in `right` (0-based) are aligned right. */
export function formatTable(header: string[], rows: string[][], right: number[] = []): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  const line = (row: string[]) =>
    widths
      .map((width, column) => {
        const cell = row[column] ?? "";
        return right.includes(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return [line(header), widths.map((width) => "─".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}
