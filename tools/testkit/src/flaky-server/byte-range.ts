/** From the first byte to before `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * What a request's Range header asks of a file, as far as a client that resumes uses it: one range from an
 * offset to the end, or to a last byte. Undefined for a request of the whole; null for a range that the file
 * has not got, which is a 416.
 */
export function parseByteRange(header: string | undefined, sizeBytes: number): ByteRange | undefined | null {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === undefined) return undefined;
  const start = Number(first);
  const end = last === undefined || last === "" ? sizeBytes : Math.min(Number(last) + 1, sizeBytes);
  return start < end ? { start, end } : null;
}
