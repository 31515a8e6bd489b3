/**
 * The quantile `at` (0…1) by linear interpolation between order statistics: Hyndman and Fan's type 7, what
 * R, NumPy and spreadsheets compute by default. NaN for no values.
 */
export function quantile(values: readonly number[], at: number): number {
  return quantileOfSorted(sortNumbers(values), at);
}

export function quantileOfSorted(sorted: readonly number[], at: number): number {
  const position = (sorted.length - 1) * at;
  const below = Math.floor(position);
  const low = sorted[below];
  if (low === undefined) return Number.NaN;
  const high = sorted[below + 1] ?? low;
  return low + (high - low) * (position - below);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function sortNumbers(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}
