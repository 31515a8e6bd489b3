import type { DownloadPolicy } from "../limits.ts";

/**
 * How long to wait before the next attempt.
 * @param failures how many there have been, from 1
 * @param retryAfterMs what the server asked for: never less than that
 * @param random in [0, 1), so that many clients do not come again all at once
 */
export function computeRetryDelay(
  failures: number,
  { backoff }: Pick<DownloadPolicy, "backoff">,
  retryAfterMs = 0,
  random: number = Math.random(),
): number {
  const { firstMs, factor, maxMs, jitter } = backoff;
  const full = Math.min(firstMs * factor ** (failures - 1), maxMs);
  return Math.max(Math.round(full * (1 - jitter * random)), retryAfterMs);
}

/**
 * The Retry-After header: seconds, or a date (https://www.rfc-editor.org/rfc/rfc9110#name-retry-after).
 * Undefined for none, and for what is neither.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  // A date has names in it; JavaScript takes "-5" for one too.
  const date = /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
