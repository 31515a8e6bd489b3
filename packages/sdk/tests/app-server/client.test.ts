import { readdirSync } from "node:fs";
import type { ServerNotification } from "@codex-js/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { TurnHandle } from "../../src/app-server/client.ts";
import { createFixture, type Fixture, startThread, text } from "./engine-fixture.ts";

let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
});
afterEach(() => fixture[Symbol.asyncDispose]());

async function collect(turn: TurnHandle): Promise<ServerNotification[]> {
  const events: ServerNotification[] = [];
  for await (const event of turn.events) events.push(event);
  return events;
}

function readMessages(events: readonly ServerNotification[]): string[] {
  return events.flatMap((event) =>
    event.method === "item/completed" && event.params.item.type === "agentMessage"
      ? [event.params.item.text]
      : [],
  );
}

test("two turns on one thread", async () => {
  const client = fixture.createClient();
  const threadId = await startThread(client, fixture.workDir);
  for (const prompt of ["one", "two \u2028 \ud800 🎉"]) {
    const turn = await client.startTurn({ threadId, input: text(prompt) });
    const events = await collect(turn);
    expect(readMessages(events)).toEqual([`echo: ${prompt.toWellFormed()}`]);
    expect(events.at(-1)).toMatchObject({
      method: "turn/completed",
      params: { threadId, turn: { id: turn.id } },
    });
    expect(await turn.completed).toMatchObject({ id: turn.id, status: "completed" });
  }
});

test("threads run in parallel, turns of one thread one after the other", async () => {
  const client = fixture.createClient();
  const [first, second] = await Promise.all([
    startThread(client, fixture.workDir),
    startThread(client, fixture.workDir),
  ]);
  // The first thread hangs; the second one must not care.
  const hanging = await client.startTurn({ threadId: first, input: text("hang") });
  const queued = client.startTurn({ threadId: first, input: text("after") });
  const runs = ["a", "b", "c"].map(async (prompt) => {
    const turn = await client.startTurn({ threadId: second, input: text(prompt) });
    return { id: turn.id, messages: readMessages(await collect(turn)) };
  });
  const done = await Promise.all(runs);
  expect(done.map(({ messages }) => messages)).toEqual([["echo: a"], ["echo: b"], ["echo: c"]]);
  expect(new Set(done.map(({ id }) => id)).size).toBe(3);
  await hanging.interrupt();
  expect(await hanging.completed).toMatchObject({ status: "interrupted" });
  expect(readMessages(await collect(await queued))).toEqual(["echo: after"]);
});

test("aborting interrupts the turn and frees its thread", async () => {
  const client = fixture.createClient();
  const threadId = await startThread(client, fixture.workDir);
  const abort = new AbortController();
  const turn = await client.startTurn({ threadId, input: text("hang") }, { signal: abort.signal });
  const events = collect(turn);
  abort.abort(new Error("enough"));
  const expected = { name: "AbortError", cause: { message: "enough" } };
  await expect(events).rejects.toMatchObject(expected);
  await expect(turn.completed).rejects.toMatchObject(expected);
  const next = await client.startTurn({ threadId, input: text("next") });
  expect(next.id).not.toBe(turn.id);
  expect(readMessages(await collect(next))).toEqual(["echo: next"]);
});

test("aborting a turn that waits or is about to start", async () => {
  const client = fixture.createClient();
  const threadId = await startThread(client, fixture.workDir);
  const hanging = await client.startTurn({ threadId, input: text("hang") });
  const abort = new AbortController();
  const waiting = client.startTurn({ threadId, input: text("never") }, { signal: abort.signal });
  abort.abort();
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  await hanging.interrupt();

  const soon = new AbortController();
  const starting = client.startTurn({ threadId, input: text("hang") }, { signal: soon.signal });
  queueMicrotask(() => queueMicrotask(() => soon.abort()));
  await expect(starting).rejects.toMatchObject({ name: "AbortError" });
  expect(readMessages(await collect(await client.startTurn({ threadId, input: text("last") })))).toEqual([
    "echo: last",
  ]);
});

test("leaving the events early interrupts the turn", async () => {
  const client = fixture.createClient();
  const threadId = await startThread(client, fixture.workDir);
  const turn = await client.startTurn({ threadId, input: text("hang") });
  for await (const event of turn.events) if (event.method === "item/agentMessage/delta") break;
  expect(await turn.completed).toMatchObject({ status: "interrupted" });
});

test("steering adds to the running turn", async () => {
  const client = fixture.createClient();
  const threadId = await startThread(client, fixture.workDir);
  const turn = await client.startTurn({ threadId, input: text("hang") });
  await turn.steer(text("more"));
  await turn.interrupt();
  expect((await turn.completed).id).toBe(turn.id);
});

// openai/codex-plugin-cc#781: the answer names no turn, and its events were never delivered.
test("compaction and review are turns too", async () => {
  const client = fixture.createClient();
  const threadId = await startThread(client, fixture.workDir);
  await (await client.startTurn({ threadId, input: text("x") })).completed;
  const compaction = await client.startTurnBy("thread/compact/start", { threadId });
  expect(await compaction.completed).toMatchObject({ id: compaction.id, status: "completed" });
  const target = { type: "custom" as const, instructions: "look" };
  const review = await client.startTurnBy("review/start", { threadId, target, delivery: "inline" });
  const last = (await collect(review)).at(-1);
  expect(last).toMatchObject({ method: "turn/completed", params: { threadId, turn: { id: review.id } } });
});

test("a slow consumer gets merged deltas and every item", async () => {
  const client = fixture.createClient();
  const threadId = await startThread(client, fixture.workDir);
  const turn = await client.startTurn({ threadId, input: text("stream 500") });
  await turn.completed;
  const events = await collect(turn);
  const deltas = events.flatMap((event) =>
    event.method === "item/agentMessage/delta" ? [event.params.delta] : [],
  );
  expect(deltas.join("")).toBe("word ".repeat(500));
  expect(deltas.length).toBeLessThan(100);
  expect(readMessages(events)).toEqual(["word ".repeat(500)]);
});

const approval = { approvalPolicy: "untrusted", sandbox: "read-only" };

test.each([
  ["accept", "completed"],
  ["decline", "declined"],
] as const)("an approval that is answered with %s", async (decision, status) => {
  const client = fixture.createClient();
  const threadId = await startThread(client, fixture.workDir, approval);
  const questions: unknown[] = [];
  client.onServerRequest("item/commandExecution/requestApproval", (params, { signal }) => {
    questions.push([params.threadId, signal.aborted]);
    return { decision };
  });
  const events = await collect(await client.startTurn({ threadId, input: text("run! touch asked") }));
  expect(questions).toEqual([[threadId, false]]);
  expect(events).toContainEqual(
    expect.objectContaining({
      method: "item/completed",
      params: expect.objectContaining({
        item: expect.objectContaining({ type: "commandExecution", status }),
      }),
    }),
  );
  expect(readdirSync(fixture.workDir)).toEqual(decision === "accept" ? ["asked"] : []);
});

// openai/codex#39149: without a handler the question stays open forever.
test("an approval that nobody answers is declined", async () => {
  const client = fixture.createClient();
  const threadId = await startThread(client, fixture.workDir, approval);
  const turn = await client.startTurn({ threadId, input: text("run! touch asked") });
  expect(await turn.completed).toMatchObject({ status: "completed" });
  expect(readdirSync(fixture.workDir)).toEqual([]);
});

test("a handler's signal is aborted when the turn ends without its answer", async () => {
  const client = fixture.createClient();
  const threadId = await startThread(client, fixture.workDir, approval);
  let aborted!: Promise<void>;
  const asked = new Promise<void>((resolve) => {
    client.onServerRequest("item/commandExecution/requestApproval", (_, { signal }) => {
      resolve();
      aborted = new Promise((done) => signal.addEventListener("abort", () => done()));
      return new Promise(() => {});
    });
  });
  const turn = await client.startTurn({ threadId, input: text("run! touch asked") });
  await asked;
  await turn.interrupt();
  await aborted;
  expect(await turn.completed).toMatchObject({ status: "interrupted" });
});

test("the whole protocol, typed: errors carry the engine's code", async () => {
  const client = fixture.createClient();
  const { data } = await client.request("thread/list", {});
  expect(data).toEqual([]);
  expect(await client.request("modelProvider/capabilities/read", {})).toBeTypeOf("object");
  await expect(
    client.request("turn/interrupt", { threadId: "00000000-0000-7000-8000-000000000000", turnId: "x" }),
  ).rejects.toMatchObject({ name: "RpcError", code: "CODEX_JS_SDK_REQUEST_FAILED", rpcCode: -32600 });
  await expect(client.requestUntyped("no/such/method")).rejects.toMatchObject({ rpcCode: -32600 });
});

test("notifications by method, by thread, and none that were opted out of", async () => {
  const client = fixture.createClient({
    introduction: {
      clientInfo: { name: "codex_js_test", title: null, version: "1" },
      optOutNotificationMethods: ["thread/tokenUsage/updated"],
    },
  });
  const [first, second] = [
    await startThread(client, fixture.workDir),
    await startThread(client, fixture.workDir),
  ];
  const completed: string[] = [];
  const ofFirst = new Set<string>();
  client.onNotification("turn/completed", ({ params }) => completed.push(params.threadId));
  const stop = client.onNotification({ threadId: first }, ({ method }) => ofFirst.add(method));
  for (const threadId of [second, first])
    await (await client.startTurn({ threadId, input: text("x") })).completed;
  stop();
  await (await client.startTurn({ threadId: first, input: text("x") })).completed;
  expect(completed).toEqual([second, first, first]);
  expect(ofFirst).toContain("turn/completed");
  expect(ofFirst).not.toContain("thread/tokenUsage/updated");
});
