import { expect, test } from "vitest";
import { timeTurns } from "./drive.ts";
import { planBlock, turnsSides } from "./sides.ts";

test("a block has each process-per-turn side once, and the quick ones back and forth", () => {
  expect(planBlock(turnsSides, 3).map(({ way }) => way)).toEqual([
    ...["official", "exec"],
    ...["app-server", "bare", "bare", "app-server", "app-server", "bare"],
  ]);
});

test("the clock runs from before the driver is made until it has closed", async () => {
  const calls: string[] = [];
  const result = await timeTurns(2, () => {
    calls.push("create");
    return {
      runTurn: async (prompt) => void calls.push(prompt),
      close: async () => void calls.push("close"),
    };
  });
  expect(calls).toEqual(["create", "turn 0: say hello", "turn 1: say hello", "close"]);
  const parts = [...result.turnMs, result.closeMs];
  expect(parts).toHaveLength(3);
  expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(result.totalMs);
});
