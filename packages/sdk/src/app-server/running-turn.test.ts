import type { ServerNotification } from "@codex-js/protocol";
import { expect, test } from "vitest";
import type { Connection } from "./connection.ts";
import { RunningTurn } from "./running-turn.ts";

const userMessage = (id: string, clientId: string | null) =>
  ({
    method: "item/completed",
    params: { threadId: "t1", turnId: "u1", item: { type: "userMessage", id, clientId, content: [] } },
  }) as unknown as ServerNotification;
const completed = {
  method: "turn/completed",
  params: { threadId: "t1", turn: { id: "u1", status: "completed", items: [] } },
} as unknown as ServerNotification;

test("a turn that ran before this one was asked for is another program's", async () => {
  const connection = { closed: new Promise(() => {}) } as unknown as Connection;
  const turn = new RunningTurn("t1", connection, {}, () => {});
  turn.inputId = "mine";
  turn.earlierId = "u1";
  // What it began with was told before.
  turn.deliver(userMessage("item-1", "mine"));
  turn.start("u1");
  await expect(turn.completed).rejects.toMatchObject({ code: "CODEX_JS_SDK_THREAD_BUSY" });
});

test.each([
  ["ours", ["mine"], "completed"],
  ["ours, and more input later", ["mine", "more", null], "completed"],
  ["another program's, by name", ["theirs", "mine"], "CODEX_JS_SDK_THREAD_BUSY"],
  ["another program's, which names none", [null, "mine"], "CODEX_JS_SDK_THREAD_BUSY"],
  ["of an engine that does not tell names", [null, null], "completed"],
])("whose turn it is that the engine answered with: %s", async (_whose, clientIds, outcome) => {
  const connection = { closed: new Promise(() => {}) } as unknown as Connection;
  const turn = new RunningTurn("t1", connection, {}, () => {});
  turn.inputId = "mine";
  turn.start("u1");
  clientIds.forEach((clientId, index) => {
    turn.deliver(userMessage(`item-${index}`, clientId));
  });
  turn.deliver(completed);
  expect(
    await turn.completed.then(
      ({ status }) => status,
      (error) => error.code,
    ),
  ).toBe(outcome);
});
