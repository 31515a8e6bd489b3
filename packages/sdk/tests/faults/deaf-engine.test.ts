import {
  type AppServerRule,
  createFakeEngine,
  type FakeEngine,
  type FakeEngineStep,
  step,
} from "@codex-js/testkit/fake-engine";
import { waitUntilGone } from "@codex-js/testkit/process-state";
import { describe, expect, test } from "vitest";
import { Codex, CodexClient } from "../../src/index.ts";

const turn = { threadId: "t1", turn: { id: "turn-1", status: "inProgress", items: [], error: null } };
const item = { type: "agentMessage", id: "m1", text: "here", phase: null };
const events = {
  started: step.notify("turn/started", turn),
  item: step.notify("item/completed", { threadId: "t1", turnId: "turn-1", item }),
  completed: step.notify("turn/completed", { ...turn, turn: { ...turn.turn, status: "completed" } }),
};

/** An engine with one thread; `steps` answer the start of a turn. */
function createRules(steps: FakeEngineStep[], ...more: AppServerRule[]): { appServer: AppServerRule[] } {
  const answer = (method: string, result: unknown): AppServerRule => ({
    on: { method },
    do: [step.respond(result)],
  });
  return {
    appServer: [
      ...more,
      answer("config/read", { config: {} }),
      answer("thread/start", { thread: { id: "t1" } }),
      { on: { method: "turn/start" }, do: steps },
    ],
  };
}

// The fake engine is a script, which Windows starts only through a shell.
describe.skipIf(process.platform === "win32")("an engine that answers otherwise, or not at all", () => {
  // openai/codex-plugin-cc#781: without the id every event was kept for later, and later never came.
  test.each([
    ["after its events", [events.started, events.item, events.completed, step.respond({})]],
    ["before its events", [step.respond({}), events.started, events.item, events.completed]],
    ["between its events", [events.started, step.respond({}), events.item, events.completed]],
    [
      "with a null for the turn",
      [step.respond({ turn: null }), events.started, events.item, events.completed],
    ],
  ])("the answer to turn/start names no turn: %s", async (_when, steps) => {
    await using engine = await createFakeEngine(createRules(steps));
    await using codex = new Codex({ codexPathOverride: engine.executablePath });
    const thread = codex.startThread({ skipGitRepoCheck: true });
    const { finalResponse, items } = await thread.run("hello");
    expect({ finalResponse, items }).toEqual({
      finalResponse: "here",
      items: [{ id: "item_0", type: "agent_message", text: "here" }],
    });
    expect(thread.id).toBe("t1");
  });

  test("the answer names no turn, and no event does either: the engine's end fails it", async () => {
    await using engine = await createFakeEngine(createRules([step.respond({}), step.exit(0)]));
    await using codex = new Codex({ codexPathOverride: engine.executablePath });
    await expect(codex.startThread({ skipGitRepoCheck: true }).run("hello")).rejects.toMatchObject({
      code: "CODEX_JS_SDK_ENGINE_EXITED",
      threadId: "t1",
    });
  });

  const running = [step.respond({ turn: turn.turn }), events.started, step.mark("running")];
  const stubborn: AppServerRule[] = [
    { on: { method: "turn/interrupt" }, do: [step.mark("interrupted")] },
    { on: { event: "start" }, do: [step.ignoreSignals("SIGTERM", "SIGINT")] },
    { on: { event: "end" }, do: [step.linger()] },
  ];

  // openai/codex#36926: the interruption is never answered, and the turn never ends.
  test("an interruption without an answer: a deadline for the turn, a bounded close", async () => {
    await using engine = await createFakeEngine(createRules(running, ...stubborn));
    await using client = new CodexClient({
      codexPathOverride: engine.executablePath,
      interruptTimeoutMs: 50,
      closeLadder: { endOfInputMs: 50, terminateMs: 50 },
    });
    const { thread } = await client.threads.start();
    const hanging = await client.startTurn({ threadId: thread.id, input: "hello" });
    const late = {
      code: "CODEX_JS_SDK_REQUEST_TIMED_OUT",
      message: "turn turn-1 of thread t1 did not end within 50 ms of being interrupted",
    };
    await expect(hanging.interrupt()).rejects.toMatchObject(late);
    await expect(hanging.result()).rejects.toMatchObject(late);
    // The thread is not blocked for ever; its next turn is the engine's to refuse.
    const next = await client.startTurn({ threadId: thread.id, input: "again" });
    await client.close();
    await expect(next.result()).rejects.toMatchObject({ code: expect.stringMatching(/TIMED_OUT|CLOSED/) });
    const [call] = await engine.calls();
    expect(call!.signals).toContain("SIGTERM");
    await waitUntilGone(call!.pid);
  });

  test("an abort does not wait for the engine", async () => {
    await using engine = await createFakeEngine(createRules(running, ...stubborn));
    await using client = new CodexClient({
      codexPathOverride: engine.executablePath,
      interruptTimeoutMs: 50,
      closeLadder: { endOfInputMs: 50, terminateMs: 50 },
    });
    const { thread } = await client.threads.start();
    const abort = new AbortController();
    const { signal } = abort;
    const hanging = await client.startTurn({ threadId: thread.id, input: "hello" }, { signal });
    abort.abort(new Error("enough"));
    await expect(hanging.result()).rejects.toMatchObject({ name: "AbortError", cause: new Error("enough") });
    await hanging.settled;
    await engine.waitForMark("interrupted");
    // The engine says that it goes on with the old turn: that is no turn of this call.
    await expect(client.startTurn({ threadId: thread.id, input: "again" })).rejects.toMatchObject({
      code: "CODEX_JS_SDK_REQUEST_FAILED",
      message: "thread t1 still runs turn turn-1, which did not end when it was interrupted",
    });
  });

  // openai/codex#19366: everybody who was refused came back at once, and again.
  test("an overloaded engine is asked again, and the turn runs once", async () => {
    const overloaded: AppServerRule = {
      on: { method: "turn/start" },
      times: 2,
      do: [step.respondError({ code: -32001, message: "Server overloaded; retry later." })],
    };
    const steps = [step.respond({ turn: turn.turn }), events.started, events.item, events.completed];
    await using engine = await createFakeEngine(createRules(steps, overloaded));
    await using client = new CodexClient({
      codexPathOverride: engine.executablePath,
      overloadRetry: { retries: 2, firstDelayMs: 1, maxDelayMs: 1, jitter: 0 },
    });
    const { thread } = await client.threads.start();
    const { finalResponse } = await (
      await client.startTurn({ threadId: thread.id, input: "hello" })
    ).result();
    expect([finalResponse, await countTurns(engine)]).toEqual(["here", 3]);
  });

  const gone = [step.exit(9)];
  test.each([
    ["was not acknowledged, without retries", gone, 0, 1],
    ["was not acknowledged, with two", gone, 2, 3],
    ["was acknowledged", [step.respond({ turn: turn.turn }), ...gone], 2, 1],
    ["has begun but was not acknowledged", [events.started, ...gone], 2, 1],
  ])("an engine that dies over a turn that %s", async (_how, steps, retries, starts) => {
    const resume: AppServerRule = {
      on: { method: "thread/resume" },
      do: [step.respond({ thread: { id: "t1" } })],
    };
    await using engine = await createFakeEngine(createRules(steps, resume));
    await using client = new CodexClient({ codexPathOverride: engine.executablePath });
    await client.threads.resume({ threadId: "t1" });
    const run = async () =>
      (await client.startTurn({ threadId: "t1", input: "hello" }, { retries })).result();
    await expect(run()).rejects.toMatchObject({ code: "CODEX_JS_SDK_ENGINE_CRASHED", exitCode: 9 });
    expect(await countTurns(engine)).toBe(starts);
  });
});

/** How often engines were asked to start a turn. */
async function countTurns(engine: FakeEngine): Promise<number> {
  const calls = await engine.calls();
  return calls.reduce((sum, { stdin }) => sum + stdin.split('"method":"turn/start"').length - 1, 0);
}
