/** Maps values to per cent of a plot's width. */
export interface Scale {
  (value: number): number;
  ticks: number[];
}

/** From zero to a little over `max`, with round ticks. */
export function createLinearScale(max: number, tickCount = 4): Scale {
  const step = niceStep((max > 0 ? max : 1) / tickCount);
  const end = Math.max(max * 1.02, step);
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => round(index * step));
  return Object.assign((value: number) => clamp(value / end), { ticks });
}

/** For ratios: equal factors are equally far apart. Always holds 1. */
export function createLogScale(values: readonly number[]): Scale {
  const low = Math.min(1, ...values) / 1.15;
  const high = Math.max(2, ...values) * 1.15;
  const span = Math.log(high / low);
  const ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter(
    (tick) => tick >= low && tick <= high,
  );
  return Object.assign((value: number) => clamp(Math.log(value / low) / span), { ticks });
}

function clamp(part: number): number {
  return round(Math.min(1, Math.max(0, part)) * 100);
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => rough <= candidate * power) ?? 10;
  return factor * power;
}

function round(value: number): number {
  return Number(value.toPrecision(6));
}
