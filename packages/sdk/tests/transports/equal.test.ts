import { describe, expect, test } from "vitest";
import { describeRequest, runScenario } from "./both-transports.ts";
import { scenarios } from "./scenarios.ts";

// The figure of the turn alone is what a program has over and above exec.
function withoutTurnUsage<T>(seen: T): T {
  return JSON.parse(JSON.stringify(seen), (key, value) =>
    key === "turn_usage" || key === "turnUsage" ? undefined : value,
  );
}

describe.each(Object.entries(scenarios))("%s", (_name, scenario) => {
  test("a program sees the same, and the model gets the same", async () => {
    const exec = await runScenario("exec", scenario);
    const appServer = await runScenario("app-server", scenario);
    expect(withoutTurnUsage(appServer.seen)).toEqual(exec.seen);
    expect(appServer.requests.map(describeRequest)).toEqual(exec.requests.map(describeRequest));
  });
});
