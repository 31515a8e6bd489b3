import { expect, test } from "vitest";
import { benchMods } from "./bench-mods.ts";
import { driveLoad, type PoolMember } from "./load-pool.ts";
import type { CallbackMessage } from "./protocol.ts";
import type { TurnReport, TurnRequest } from "./runner-client.ts";

const side = { name: "ours", file: "", args: [], env: {} };
const usage = { elapsedMs: 0, cpuMs: 0, heapBytes: 0, externalBytes: 0, hostRequests: 0, logsDropped: 0 };

/** A runner that only remembers what it was asked. */
function createMember(index: number, asked: TurnRequest[], fails = false): PoolMember {
  const ask = async (request: TurnRequest): Promise<TurnReport> => {
    asked.push(request);
    const answer = fails
      ? { type: "error" as const, id: 1, code: "mod_error", message: "no" }
      : { type: "result" as const, id: 1, value: null, usage };
    return { answer, elapsedMs: asked.length, logs: [], caches: {} };
  };
  return { runner: { ask } as PoolMember["runner"], mod: benchMods[index]! };
}

test("as many callbacks as wanted, over all runners; each gets its modules once", async () => {
  const asked: TurnRequest[][] = [[], []];
  const members = asked.map((own, index) => createMember(index, own));
  const { elapsedMs } = await driveLoad(side, members, 7, new AbortController().signal);
  expect(elapsedMs).toHaveLength(7);
  expect(asked.map((own) => own.length).sort()).toEqual([3, 4]);
  for (const own of asked) {
    expect(own.map((request) => (request as CallbackMessage).modules !== undefined)).toEqual([
      true,
      ...own.slice(1).map(() => false),
    ]);
  }
});

test("an error is no sample", async () => {
  const running = driveLoad(side, [createMember(0, [], true)], 2, new AbortController().signal);
  await expect(running).rejects.toMatchObject({
    code: "CODEX_JS_BENCH_TURN_FAILED",
    message: "ours answered mod_error: no",
  });
});
