import type { ServerNotification } from "@codex-js/protocol";
import { expect, test } from "vitest";
import { TurnTranslator } from "./translate-turn.ts";

const translateAll = (...notifications: [method: string, params: object][]) => {
  const translator = new TurnTranslator();
  return notifications.flatMap(([method, params]) =>
    translator.translate({ method, params } as ServerNotification),
  );
};
const message = (id: string, text: string) => ({ item: { type: "agentMessage", id, text } });
const command = (id: string, status: string) => ({
  item: { type: "commandExecution", id, command: id, aggregatedOutput: "", exitCode: null, status },
});
const completed = (more: object = {}): [string, object] => [
  "turn/completed",
  { turn: { status: "completed", items: [], error: null, ...more } },
];
const ids = (events: object[]) =>
  events.map((event) => [(event as { type: string }).type, (event as { item?: { id: string } }).item?.id]);

test("items are numbered as they are first shown", () => {
  const events = translateAll(
    ["item/started", command("a", "inProgress")],
    ["item/started", message("m", "")],
    ["item/started", command("b", "inProgress")],
    ["item/completed", message("m", "hi")],
    ["item/completed", command("b", "completed")],
    ["item/completed", command("a", "completed")],
  );
  expect(ids(events)).toEqual([
    ["item.started", "item_0"],
    ["item.started", "item_1"],
    ["item.completed", "item_2"],
    ["item.completed", "item_1"],
    ["item.completed", "item_0"],
  ]);
});

test("a patch that starts again is an update", () => {
  const patch = { item: { type: "fileChange", id: "p", changes: [], status: "inProgress" } };
  expect(ids(translateAll(["item/started", patch], ["item/started", patch]))).toEqual([
    ["item.started", "item_0"],
    ["item.updated", "item_0"],
  ]);
});

test("a plan is one list, which ends with the turn", () => {
  const plan = (status: string): [string, object] => ["turn/plan/updated", { plan: [{ step: "s", status }] }];
  const list = (isDone: boolean) => ({
    id: "item_0",
    type: "todo_list",
    items: [{ text: "s", completed: isDone }],
  });
  expect(translateAll(plan("inProgress"), plan("completed"), completed()).slice(0, 3)).toEqual([
    { type: "item.started", item: list(false) },
    { type: "item.updated", item: list(true) },
    { type: "item.completed", item: list(true) },
  ]);
});

test("an item whose end got lost has it with the turn's", () => {
  const events = translateAll(
    ["item/started", command("a", "inProgress")],
    completed({ items: [command("a", "failed").item, message("m", "hi").item] }),
  );
  expect(ids(events)).toEqual([
    ["item.started", "item_0"],
    ["item.completed", "item_0"],
    ["turn.completed", undefined],
  ]);
});

test("usage is the last total; without any it is nothing", () => {
  const tokens = (count: number) => ({
    inputTokens: count,
    cachedInputTokens: 1,
    cacheWriteInputTokens: 2,
    outputTokens: 3,
    reasoningOutputTokens: 4,
    totalTokens: 9,
  });
  const update = (count: number): [string, object] => [
    "thread/tokenUsage/updated",
    { tokenUsage: { total: tokens(count), last: tokens(1) } },
  ];
  expect(translateAll(update(10), update(20), completed())).toEqual([
    {
      type: "turn.completed",
      usage: {
        input_tokens: 20,
        cached_input_tokens: 1,
        cache_write_input_tokens: 2,
        output_tokens: 3,
        reasoning_output_tokens: 4,
      },
    },
  ]);
  expect(translateAll(completed())).toHaveProperty("0.usage.input_tokens", 0);
});

test("a failure has the turn's error, else the last one, else a word for it", () => {
  const error = (message: string, additionalDetails: string | null = null) => ({
    message,
    additionalDetails,
  });
  const failed = (own: object | null) => completed({ status: "failed", error: own });
  const last = (...notifications: [string, object][]) => translateAll(...notifications).at(-1);
  expect(last(["error", { error: error("x") }], failed(error("own", "more")))).toEqual({
    type: "turn.failed",
    error: { message: "own (more)" },
  });
  expect(last(["error", { error: error("x", "y") }], failed(null))).toEqual({
    type: "turn.failed",
    error: { message: "x (y)" },
  });
  expect(last(failed(null))).toEqual({ type: "turn.failed", error: { message: "turn failed" } });
});

test("an interrupted turn ends without a word", () => {
  expect(translateAll(completed({ status: "interrupted" }))).toEqual([]);
});

test("a rerouted model is an error item", () => {
  const params = { fromModel: "a", toModel: "b", reason: "highRiskCyberActivity" };
  expect(translateAll(["model/rerouted", params])).toEqual([
    {
      type: "item.completed",
      item: { id: "item_0", type: "error", message: "model rerouted: a -> b (HighRiskCyberActivity)" },
    },
  ]);
});

test("it is finished when its end has come and nothing runs any more", () => {
  const translator = new TurnTranslator();
  const tell = ([method, params]: [string, object]) =>
    translator.translate({ method, params } as ServerNotification);
  tell(["item/started", command("a", "inProgress")]);
  tell(completed());
  expect(translator.isFinished).toBe(false);
  tell(["item/completed", command("a", "completed")]);
  expect(translator.isFinished).toBe(true);
});
