import { expect, test } from "vitest";
import { TurnUsageMeter } from "./usage.ts";

const tokens = (inputTokens: number) => ({
  inputTokens,
  cachedInputTokens: 0,
  cacheWriteInputTokens: 0,
  outputTokens: 0,
  reasoningOutputTokens: 0,
  totalTokens: inputTokens,
});
const figures = (total: number, last: number) => ({
  total: tokens(total),
  last: tokens(last),
  modelContextWindow: null,
});

test("a turn's usage is what the total has grown by, however many answers it took", () => {
  const meter = new TurnUsageMeter();
  meter.startTurn();
  meter.update(figures(10, 10));
  meter.update(figures(25, 15));
  expect(meter.turn.input_tokens).toBe(25);
  meter.startTurn();
  expect(meter.turn.input_tokens).toBe(0);
  meter.update(figures(30, 5));
  // A figure that is told again counts once.
  meter.update(figures(30, 5));
  expect(meter.turn.input_tokens).toBe(5);
});

test("a thread that was taken up again has earlier turns in its first total", () => {
  const meter = new TurnUsageMeter();
  meter.startTurn();
  meter.update(figures(107, 7));
  meter.update(figures(110, 3));
  expect(meter.turn.input_tokens).toBe(10);
});
