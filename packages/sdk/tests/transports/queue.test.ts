import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { reply } from "@codex-js/testkit/mock-model";
import { expect, test } from "vitest";
import { runScenario, type Scenario, transportNames } from "./both-transports.ts";

const hangOn =
  (prompt: string): Scenario["respond"] =>
  (request) =>
    request.userTexts.at(-1) === prompt ? reply.hang() : reply.message(`mock: ${request.userTexts.at(-1)}`);

const seenBy = async (scenario: Scenario) => {
  const { seen, requests } = await runScenario("app-server", scenario);
  return { seen: seen.slice(0, -2), prompts: requests.map(({ userTexts }) => userTexts.at(-1)) };
};

test("turns on one thread run one after the other, in their order", async () => {
  const { seen, prompts } = await seenBy({
    program: async ({ startThread, note }) => {
      const thread = startThread();
      const turns = await Promise.all(["one", "two", "three"].map((prompt) => thread.run(prompt)));
      note(
        turns.map(({ finalResponse, usage, turnUsage }) => [
          finalResponse,
          usage?.input_tokens,
          turnUsage?.input_tokens,
        ]),
      );
    },
  });
  expect(seen).toEqual([
    [
      ["mock: one", 11, 11],
      ["mock: two", 22, 11],
      ["mock: three", 33, 11],
    ],
  ]);
  expect(prompts).toEqual(["one", "two", "three"]);
});

test.each(transportNames)(
  "turns of a new thread that are asked for at once are one thread's: %s",
  async (transport) => {
    const { seen } = await runScenario(transport, {
      program: async ({ startThread, note }) => {
        const thread = startThread();
        const turns = await Promise.all([thread.run("one"), thread.run("two")]);
        note(turns.map(({ finalResponse, usage }) => [finalResponse, usage?.input_tokens]));
      },
    });
    expect(seen[0]).toEqual([
      ["mock: one", 11],
      ["mock: two", 22],
    ]);
  },
);

test("two objects of one thread queue as well", async () => {
  const { prompts, seen } = await seenBy({
    program: async ({ startThread, resumeThread, note }) => {
      const first = startThread();
      await first.run("one");
      const turns = [first.run("two"), resumeThread(first.id!).run("three"), first.run("four")];
      note((await Promise.all(turns)).map(({ finalResponse }) => finalResponse));
    },
  });
  expect(seen).toEqual([["mock: two", "mock: three", "mock: four"]]);
  expect([...prompts].sort()).toEqual(["four", "one", "three", "two"]);
});

test("a thread that hangs holds up no other, and a turn that waits for it can be aborted", async () => {
  const { seen, prompts } = await seenBy({
    respond: hangOn("hang"),
    program: async ({ asked, startThread, run, note }) => {
      const [hanging, free] = [startThread(), startThread()];
      const [stop, giveUp] = [new AbortController(), new AbortController()];
      const turn = hanging.run("hang", { signal: stop.signal }).catch(({ name }) => note(name));
      await asked();
      const waiting = run(hanging, "never", { signal: giveUp.signal });
      note((await free.run("free")).finalResponse);
      giveUp.abort(new Error("waited long enough"));
      await waiting;
      stop.abort();
      await turn;
      note((await hanging.run("after")).finalResponse);
    },
  });
  expect(seen).toEqual([
    "mock: free",
    {
      result: expect.objectContaining({ name: "AbortError", cause: "Error: waited long enough" }),
      id: "ID0",
    },
    "AbortError",
    "mock: after",
  ]);
  expect(prompts).toEqual(["hang", "free", "after"]);
});

test("a turn of its own is told from the thread's total, after resuming too", async () => {
  const { seen } = await seenBy({
    program: async ({ startThread, createCodex, threadOptions, note }) => {
      const thread = startThread();
      await thread.run("one");
      const { usage, turnUsage } = await createCodex().resumeThread(thread.id!, threadOptions).run("two");
      note([usage, turnUsage]);
    },
  });
  const figures = (times: number) => ({
    input_tokens: 11 * times,
    cached_input_tokens: 3 * times,
    cache_write_input_tokens: 0,
    output_tokens: 7 * times,
    reasoning_output_tokens: 2 * times,
  });
  expect(seen).toEqual([[figures(2), figures(1)]]);
});

const killEngine = reply.functionCall("exec_command", { cmd: "kill -KILL $PPID; sleep 1000" });

test.skipIf(process.platform === "win32")(
  "the error of a crash says where and how, and the next turn goes on",
  async () => {
    const { seen } = await seenBy({
      thread: { sandboxMode: "danger-full-access" },
      respond: (_request, index) => (index === 1 ? killEngine : reply.message("done")),
      program: async ({ startThread, note }) => {
        const thread = startThread();
        await thread.run("one");
        note(thread.id);
        const { signal, exitCode, threadId, turnId } = await thread.run("two").catch((error) => error);
        note({ signal, exitCode, threadId, turnId });
        note((await thread.run("three")).finalResponse);
      },
    });
    expect(seen).toEqual([
      "ID0",
      { signal: "SIGKILL", exitCode: null, threadId: "ID0", turnId: expect.stringMatching(/^ID/) },
      "done",
    ]);
  },
);

test.skipIf(process.platform === "win32")(
  "an engine that dies between two turns is no error of the second",
  async () => {
    const { seen, prompts } = await seenBy({
      thread: { sandboxMode: "danger-full-access" },
      respond: ({ body }, index) =>
        index === 0 && !JSON.stringify(body).includes("function_call_output")
          ? reply.functionCall("exec_command", { cmd: "echo $PPID > engine" })
          : reply.message("done"),
      program: async ({ workDir, startThread, note }) => {
        const thread = startThread();
        await thread.run("one");
        const pid = Number(await readFile(join(workDir, "engine"), "utf8"));
        process.kill(pid, "SIGKILL");
        // Not only dead but noticed: until then it is a zombie, which still takes a signal.
        while (isSignallable(pid)) await setImmediate();
        note((await thread.run("two")).finalResponse);
      },
    });
    expect(seen).toEqual(["done"]);
    expect(prompts.at(-1)).toBe("two");
  },
);

test("a closed client fails its running turn and runs no other", async () => {
  const { seen } = await seenBy({
    respond: hangOn("hang"),
    program: async ({ asked, codex, startThread, run }) => {
      const thread = startThread();
      const turn = run(thread, "hang");
      await asked();
      await codex.close();
      await turn;
      await run(thread, "more");
    },
  });
  const closed = expect.objectContaining({ code: "CODEX_JS_SDK_CONNECTION_CLOSED" });
  expect(seen).toEqual([
    { result: expect.objectContaining({ name: expect.any(String) }), id: "ID0" },
    { result: closed, id: "ID0" },
  ]);
});

function isSignallable(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
