/** Numbers in [0, 1); the same seed gives the same numbers on every machine. */
export type Random = () => number;

/** xorshift32: small, seedable, and far better than resampling and shuffling need. */
export function createRandom(seed: number): Random {
  // Zero is the one state that xorshift never leaves.
  let state = seed >>> 0 || 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}
