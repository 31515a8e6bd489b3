/** Milliseconds that a Retry-After header asks for, in seconds or as a date; undefined for none that can be read. */
export function readRetryAfter(value: string | null, now: Date): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
