import type { ComparedMedians } from "./types.ts";

/** Three significant digits, and a unit that suits the size: `12.3 ms`, `464 MiB`, `1,234`. */
export function formatValue(value: number, unit: string): string {
  if (unit === "KiB") {
    return Math.abs(value) >= 1024 ? `${formatNumber(value / 1024)} MiB` : `${formatNumber(value)} KiB`;
  }
  if (unit === "ms")
    return Math.abs(value) >= 1000 ? `${formatNumber(value / 1000)} s` : `${formatNumber(value)} ms`;
  return unit === "" ? formatNumber(value) : `${formatNumber(value)} ${unit}`;
}

function formatNumber(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4;
  return value.toLocaleString("en-US", { minimumFractionDigits: 0, maximumFractionDigits: digits });
}

/** `7.80×`. */
export function formatRatio(ratio: number | null): string {
  return ratio === null ? "–" : `${ratio >= 100 ? ratio.toFixed(0) : ratio.toFixed(2)}×`;
}

/** What a ratio is made of, `860 MiB → 460 MiB`. */
export function formatMedians({ side, baseline }: ComparedMedians, unit: string): string {
  return `${formatValue(baseline, unit)} → ${formatValue(side, unit)}`;
}

/** What a ratio saves, `−46.4 %`. */
export function formatReduction(ratio: number | null): string {
  if (ratio === null) return "–";
  const percent = (1 / ratio - 1) * 100;
  if (Math.abs(percent) < 0.05) return "0 %";
  return `${percent > 0 ? "+" : "−"}${Math.abs(percent).toFixed(1)} %`;
}
