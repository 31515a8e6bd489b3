/** Maps values to per cent of a plot's width. */
export interface Scale {
  (value: number): number;
  ticks: number[];
}

/** From zero to a little over `max`, with ticks that are round in the unit that they are shown in. */
export function createLinearScale(max: number, unit: string, tickCount = 4): Scale {
  const shown = shownUnit(max, unit);
  const step = niceStep((max > 0 ? max : 1) / shown / tickCount) * shown;
  const end = Math.max(max * 1.02, step);
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => round(index * step));
  return Object.assign((value: number) => clamp(value / end), { ticks });
}

/** How much of `unit` one of what `formatValue` shows is: MiB for many KiB, seconds for many milliseconds. */
function shownUnit(max: number, unit: string): number {
  if (unit === "KiB" && max >= 1024) return 1024;
  return unit === "ms" && max >= 1000 ? 1000 : 1;
}

/** For ratios: equal factors are equally far apart. Always holds 1. */
export function createLogScale(values: readonly number[]): Scale {
  const low = Math.min(1, ...values) / 1.15;
  const high = Math.max(2, ...values) * 1.15;
  const span = Math.log(high / low);
  const place = (value: number) => clamp(Math.log(value / low) / span);
  // Ticks of two a decade where ones of three would touch on a narrow screen.
  const steps = high / low > 60 ? [1, 3] : [1, 2, 5];
  const decades = [0.01, 0.1, 1, 10, 100, 1000].flatMap((decade) =>
    steps.map((step) => round(step * decade)),
  );
  return Object.assign(place, { ticks: decades.filter((tick) => tick >= low && tick <= high) });
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
