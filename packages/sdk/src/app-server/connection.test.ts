import type { ServerNotification } from "@codex-js/protocol";
import { afterEach, expect, test, vi } from "vitest";
import { CodexError, type EngineCrashedError } from "../errors.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { computeRetryDelayMs, defaultDeadlines } from "./deadlines.ts";
import { createServerRequestHandlers } from "./server-requests.ts";
import type { Transport, TransportListener } from "./transport/transport.ts";

/** The engine's side of a connection, in the test's hands. */
function createPeer(options: ConnectionOptions = {}, drained?: Promise<void>) {
  let listener!: TransportListener;
  let close!: (cause: CodexError) => void;
  const sent: { id?: number; method?: string; params?: unknown; result?: unknown; error?: unknown }[] = [];
  const refs: boolean[] = [];
  const calls: string[] = [];
  const transport: Transport = {
    closed: new Promise((resolve) => {
      close = resolve;
    }),
    listen: (to) => {
      listener = to;
    },
    send: (text) => {
      sent.push(JSON.parse(text));
      return drained;
    },
    end: () => void calls.push("end"),
    setRef: (keepsAlive) => void refs.push(keepsAlive),
  };
  const connection = new Connection(transport, options);
  return {
    connection,
    sent,
    refs,
    calls,
    close,
    say: (message: unknown) => listener.onMessage(JSON.stringify(message)),
    sayText: (text: string) => listener.onMessage(text),
    sayOversized: (head: string) => listener.onOversizedMessage(head),
  };
}

const tick = () => new Promise((resolve) => setImmediate(resolve));
const closedError = new CodexError("CODEX_JS_SDK_CONNECTION_CLOSED", "gone");

afterEach(() => vi.useRealTimers());

test("answers find their requests in any order; while one is pending the host is kept running", async () => {
  const { connection, sent, say, refs } = createPeer();
  const [one, two] = [connection.request("thread/list", {}), connection.request("account/logout")];
  say({ id: 1, result: {} });
  say({ id: 0, result: { data: [] } });
  say({ id: 0, result: { data: ["late"] } });
  say({ id: 99, result: {} });
  expect(await Promise.all([one, two])).toEqual([{ data: [] }, {}]);
  expect(sent).toEqual([
    { id: 0, method: "thread/list", params: {} },
    { id: 1, method: "account/logout" },
  ]);
  await tick();
  expect(refs).toEqual([false, true, false]);
});

test("initialize introduces, then says that it is done", async () => {
  const { connection, sent, say } = createPeer();
  const clientInfo = { name: "a", title: null, version: "1" };
  const ready = connection.initialize({
    clientInfo,
    experimentalApi: true,
    optOutNotificationMethods: ["error"],
  });
  say({ id: 0, result: { userAgent: "a/0.171.0" } });
  expect(await ready).toEqual({ userAgent: "a/0.171.0" });
  expect(sent).toEqual([
    {
      id: 0,
      method: "initialize",
      params: {
        clientInfo,
        capabilities: {
          requestAttestation: false,
          experimentalApi: true,
          optOutNotificationMethods: ["error"],
        },
      },
    },
    { method: "initialized" },
  ]);
});

// openai/codex#36926: an interruption was never answered.
test("every request has a deadline, named methods one of their own", async () => {
  vi.useFakeTimers();
  const { connection } = createPeer({ deadlines: { default: 50, methods: { "thread/read": 70 } } });
  const failures: string[] = [];
  const watch = (promise: Promise<unknown>) =>
    promise.catch((error) => failures.push(`${error.code} ${error.message}`));
  watch(connection.request("thread/list", {}));
  watch(connection.request("thread/read", { threadId: "x" }));
  watch(connection.request("model/list", {}, { timeoutMs: 10 }));
  let isToolAnswered = false;
  connection.request("mcpServer/tool/call", { threadId: "x", server: "s", tool: "t" }).finally(() => {
    isToolAnswered = true;
  });
  await vi.advanceTimersByTimeAsync(1_000_000);
  const code = "CODEX_JS_SDK_REQUEST_TIMED_OUT";
  expect(failures).toEqual([
    `${code} model/list was not answered within 10 ms`,
    `${code} thread/list was not answered within 50 ms`,
    `${code} thread/read was not answered within 70 ms`,
  ]);
  expect([isToolAnswered, defaultDeadlines.methods["mcpServer/tool/call"]]).toEqual([
    false,
    Number.POSITIVE_INFINITY,
  ]);
});

test("an aborted request stops waiting, before and after it was sent", async () => {
  const { connection, sent } = createPeer();
  const abort = new AbortController();
  const waiting = connection.request("thread/list", {}, { signal: abort.signal });
  abort.abort("enough");
  await expect(waiting).rejects.toMatchObject({ name: "AbortError", code: "ABORT_ERR", cause: "enough" });
  await expect(connection.request("thread/list", {}, { signal: abort.signal })).rejects.toMatchObject({
    code: "ABORT_ERR",
  });
  expect(sent.length).toBe(1);
});

test("while the engine does not keep up, requests wait and can be taken back", async () => {
  let drain!: () => void;
  const drained = new Promise<void>((resolve) => {
    drain = resolve;
  });
  const { connection, sent } = createPeer({}, drained);
  const abort = new AbortController();
  connection.request("thread/list", {});
  const taken = connection.request("model/list", {}, { signal: abort.signal });
  connection.request("thread/loaded/list", {});
  abort.abort();
  await expect(taken).rejects.toMatchObject({ code: "ABORT_ERR" });
  expect(sent.map(({ method }) => method)).toEqual(["thread/list"]);
  drain();
  await tick();
  expect(sent.map(({ method }) => method)).toEqual(["thread/list", "thread/loaded/list"]);
});

// openai/codex#19366
test("an overloaded engine is asked again, with growing delays, so often and not more", async () => {
  vi.useFakeTimers();
  const overloadRetry = { retries: 2, firstDelayMs: 100, maxDelayMs: 150, jitter: 0 };
  const { connection, sent, say } = createPeer({ overloadRetry });
  const asked = connection.request("thread/list", {}).catch((error) => error);
  const times: number[] = [];
  for (let id = 0; id < 3; id++) {
    await vi.waitUntil(() => sent.length === id + 1);
    times.push(Date.now());
    say({ id, error: { code: -32001, message: "overloaded" } });
    await vi.advanceTimersByTimeAsync(200);
  }
  expect(await asked).toMatchObject({ name: "RpcError", rpcCode: -32001, method: "thread/list" });
  expect(sent.length).toBe(3);
  const policy = { retries: 9, firstDelayMs: 100, maxDelayMs: 1000, jitter: 0.5 };
  const delays = [0, 1, 2, 3, 4, 9].map((retry) => computeRetryDelayMs(policy, retry, () => 0));
  expect(delays).toEqual([100, 200, 400, 800, 1000, 1000]);
  expect(computeRetryDelayMs(policy, 1, () => 1)).toBe(100);
});

test("one cause fails everything that is pending and everything after it", async () => {
  const { connection, close } = createPeer();
  const pending = [connection.request("thread/list", {}), connection.request("model/list", {})];
  close(closedError);
  const settled = await Promise.allSettled([...pending, connection.closed]);
  expect(settled.map((result) => (result.status === "rejected" ? result.reason : result.value))).toEqual([
    closedError,
    closedError,
    closedError,
  ]);
  connection.close();
  await expect(connection.request("thread/list", {})).rejects.toBe(closedError);
  expect(connection.cause).toBe(closedError);
});

// openai/codex#40612: a preloaded script prints to the same stream.
test.each(["hello from a preload", "null", "17", '{"id":0,'])(
  "%s on the stream ends the connection",
  async (text) => {
    const { connection, sayText, calls } = createPeer();
    const pending = connection.request("thread/list", {});
    sayText(text);
    await expect(pending).rejects.toMatchObject({
      code: "CODEX_JS_SDK_PROTOCOL_VIOLATED",
      message: expect.stringContaining(text),
    });
    expect(calls).toEqual(["end"]);
  },
);

test("an answer past the bound fails its request alone, a notification past it the connection", async () => {
  const { connection, sayOversized, say } = createPeer();
  const [big, small] = [
    connection.request("thread/read", { threadId: "x" }),
    connection.request("thread/list", {}),
  ];
  sayOversized('{"id":0,"result":{"thread":');
  await expect(big).rejects.toMatchObject({ code: "CODEX_JS_SDK_MESSAGE_TOO_LONG" });
  say({ id: 1, result: "ok" });
  expect(await small).toBe("ok");
  const last = connection.request("thread/list", {});
  sayOversized('{"method":"item/completed"');
  await expect(last).rejects.toMatchObject({ code: "CODEX_JS_SDK_MESSAGE_TOO_LONG" });
});

test("a listener that throws is reported, and the reading goes on", async () => {
  const faults: unknown[] = [];
  const seen: string[] = [];
  const { say } = createPeer({
    onListenerError: (error) => faults.push(error),
    onNotification: ({ method }: ServerNotification) => {
      seen.push(method);
      throw new Error(method);
    },
  });
  say({ method: "warning", params: {} });
  say({ method: "error", params: {} });
  expect([seen, faults]).toEqual([
    ["warning", "error"],
    [new Error("warning"), new Error("error")],
  ]);
});

// openai/codex-plugin-cc#640: -32601 for an elicitation rejects every later MCP call.
test("without a handler each question gets a refusal of its own kind", async () => {
  const { say, sent } = createPeer();
  const refusal = "this client has no handler for it";
  const denied = { decision: { denied: { rejection: refusal } } };
  const expected: Record<string, object> = {
    "item/commandExecution/requestApproval": { result: { decision: "decline" } },
    "item/fileChange/requestApproval": { result: { decision: "decline" } },
    "item/permissions/requestApproval": { result: { permissions: {}, scope: "turn" } },
    "item/tool/requestUserInput": { result: { answers: {} } },
    "item/tool/call": { result: { contentItems: [{ type: "inputText", text: refusal }], success: false } },
    "mcpServer/elicitation/request": { result: { action: "decline", content: null, _meta: null } },
    applyPatchApproval: { result: denied },
    execCommandApproval: { result: denied },
    "attestation/generate": { error: { code: -32601, message: `attestation/generate: ${refusal}` } },
    "something/new": { error: { code: -32601, message: `something/new: ${refusal}` } },
  };
  for (const [index, method] of Object.keys(expected).entries()) say({ id: index, method, params: {} });
  await tick();
  expect(sent).toEqual(Object.values(expected).map((reply, id) => ({ id, ...reply })));
});

test("a handler of the thread goes first; one that throws refuses and is reported", async () => {
  const faults: unknown[] = [];
  const handlers = createServerRequestHandlers();
  const { say, sent } = createPeer({ handlers, onListenerError: (error) => faults.push(error) });
  const method = "item/fileChange/requestApproval";
  const removeAll = handlers.on(method, () => ({ decision: "accept" }));
  handlers.on(method, () => ({ decision: "cancel" }), "mine");
  handlers.on(method, () => Promise.reject(new Error("fault")), "broken");
  for (const [id, threadId] of ["mine", "other", "broken"].entries())
    say({ id, method, params: { threadId } });
  await tick();
  removeAll();
  say({ id: 3, method, params: { threadId: "other" } });
  await tick();
  expect(sent.sort((a, b) => a.id! - b.id!).map(({ result }) => result)).toEqual(
    ["cancel", "accept", "decline", "decline"].map((decision) => ({ decision })),
  );
  expect(faults).toEqual([new Error("fault")]);
});

test("a question that somebody else answered, or whose connection ended, is aborted and not answered", async () => {
  const handlers = createServerRequestHandlers();
  const { say, sent, close } = createPeer({ handlers });
  const reasons: unknown[] = [];
  handlers.on("item/commandExecution/requestApproval", (_, { signal }) => {
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        reasons.push(signal.reason);
        resolve({ decision: "accept" });
      });
    });
  });
  for (const id of [7, "eight"])
    say({ id, method: "item/commandExecution/requestApproval", params: { threadId: "t" } });
  say({ method: "serverRequest/resolved", params: { threadId: "t", requestId: 7 } });
  close(closedError as EngineCrashedError);
  await tick();
  expect(reasons).toEqual([new Error("the engine has its answer already"), closedError]);
  expect(sent).toEqual([]);
});
