/**
 * mitata sorts its samples and drops the outermost. It reads the clock right before and after each one, so
 * this clock keeps them all, in the order in which they were taken.
 */
export function createSampleClock(read: () => number = () => performance.now() * 1e6): {
  now: () => number;
  samples: number[];
} {
  const samples: number[] = [];
  let startedAt: number | undefined;
  const now = () => {
    const at = read();
    if (startedAt === undefined) startedAt = at;
    else {
      samples.push(at - startedAt);
      startedAt = undefined;
    }
    return at;
  };
  return { now, samples };
}
