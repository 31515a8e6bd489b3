import type { Random } from "./statistics/random.ts";

/**
 * The order in which the sides of one comparison run in block `block`: forwards, then backwards (ABBA), so
 * that a drift of the machine (a warming processor, a filling cache) meets every side alike.
 */
export function alternate<T>(sides: readonly T[], block: number): T[] {
  return block % 2 === 0 ? [...sides] : [...sides].reverse();
}

/** A seeded shuffle, for more than two sides over few blocks. Every second block reverses the one before. */
export function shuffleBlocks<T>(sides: readonly T[], blocks: number, random: Random): T[][] {
  const orders: T[][] = [];
  while (orders.length < blocks) {
    const order = shuffle(sides, random);
    orders.push(order, [...order].reverse());
  }
  return orders.slice(0, blocks);
}

function shuffle<T>(values: readonly T[], random: Random): T[] {
  const result = [...values];
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other]!, result[last]!];
  }
  return result;
}
