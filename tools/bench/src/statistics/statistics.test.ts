import { expect, test } from "vitest";
import { alternate, shuffleBlocks } from "../order.ts";
import { bootstrapInterval } from "./bootstrap.ts";
import { mean, median, quantile } from "./quantile.ts";
import { createRandom } from "./random.ts";
import { summariseComparisons, summariseSeries } from "./summarise.ts";

// Values from R 4: quantile(c(15, 20, 35, 40, 50), c(.05, .3, .4, .5, 1)), type 7.
test("quantiles are those of R's default", () => {
  const values = [50, 15, 40, 20, 35];
  expect([0.05, 0.3, 0.4, 0.5, 1].map((at) => quantile(values, at))).toEqual([16, 23, 29, 35, 50]);
  expect([median([1, 2, 3, 4]), mean([1, 2, 6]), quantile([7], 0.99), quantile([], 0.5)]).toEqual([
    2.5,
    3,
    7,
    Number.NaN,
  ]);
});

// Marsaglia's xorshift32 with shifts 13, 17, 5 from state 1.
test("the random numbers are xorshift32's", () => {
  const random = createRandom(1);
  expect([random(), random(), random()].map((value) => value * 2 ** 32)).toEqual([
    270369, 67634689, 2647435461,
  ]);
});

test("the bootstrap interval of a median holds it, is repeatable, and shrinks with more samples", () => {
  const random = createRandom(7);
  const few = Array.from({ length: 20 }, () => 100 + 10 * (random() - 0.5));
  const many = Array.from({ length: 500 }, () => 100 + 10 * (random() - 0.5));
  const options = { seed: 3, resamples: 1000 };
  const [low, high] = bootstrapInterval(few, median, options)!;
  const [lowMany, highMany] = bootstrapInterval(many, median, options)!;
  expect(low).toBeLessThanOrEqual(median(few));
  expect(high).toBeGreaterThanOrEqual(median(few));
  expect(highMany - lowMany).toBeLessThan(high - low);
  expect(bootstrapInterval(few, median, options)).toEqual([low, high]);
});

test("one observation has no interval, equal ones have one of no width", () => {
  expect(bootstrapInterval([5], median)).toBeNull();
  expect(bootstrapInterval([5, 5, 5], median)).toEqual([5, 5]);
});

test("a comparison divides medians of paired blocks and takes the floor off where asked", () => {
  const samples = [0, 1, 2].flatMap((block) => [
    { group: "g", side: "theirs", metric: "time", block, value: 30 + block },
    { group: "g", side: "ours", metric: "time", block, value: 15 + block },
    { group: "g", side: "parse", metric: "time", block, value: 11 + block },
    { group: "other", side: "ours", metric: "time", block, value: 1 },
  ]);
  const unpaired = { group: "g", side: "theirs", metric: "time", block: 3, value: 9000 };
  const bootstrap = { seed: 1, resamples: 200 };
  const compare = (floor?: string) =>
    summariseComparisons(
      [...samples, unpaired],
      [{ metric: "time", side: "ours", baseline: "theirs", ...(floor === undefined ? {} : { floor }) }],
      bootstrap,
    );
  expect(compare()).toMatchObject([
    { group: "g", medians: { side: 16, baseline: 31 }, ratio: 31 / 16, pairs: 3 },
  ]);
  expect(compare("parse")).toMatchObject([
    { medians: { side: 4, baseline: 19 }, ratio: (31 - 12) / (16 - 12) },
  ]);
  expect(compare("ours")).toMatchObject([{ ratio: null, interval: null }]);
});

test("a series keeps count, order statistics and interval", () => {
  const samples = [4, 2, 3, 1].map((value, block) => ({ group: "g", side: "s", metric: "m", block, value }));
  expect(summariseSeries(samples, { seed: 1, resamples: 100 })).toEqual([
    {
      group: "g",
      side: "s",
      metric: "m",
      count: 4,
      p50: 2.5,
      p95: expect.closeTo(3.85),
      p99: expect.closeTo(3.97),
      mean: 2.5,
      min: 1,
      max: 4,
      interval: [expect.any(Number), expect.any(Number)],
    },
  ]);
});

test("orders alternate, and shuffles are seeded and mirrored", () => {
  expect([0, 1, 2].map((block) => alternate(["a", "b"], block).join(""))).toEqual(["ab", "ba", "ab"]);
  const orders = shuffleBlocks(["a", "b", "c"], 3, createRandom(5));
  expect(orders[1]).toEqual([...orders[0]!].reverse());
  expect(orders).toEqual(shuffleBlocks(["a", "b", "c"], 3, createRandom(5)));
});
