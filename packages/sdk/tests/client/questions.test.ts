import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CodexClient, CodexClientOptions } from "../../src/index.ts";
import { type ClientFixture, createClientFixture } from "./client-fixture.ts";

const asking = { approvalPolicy: "on-request", sandbox: "read-only" };

async function readOutput(client: CodexClient, threadId: string, input: string) {
  const { turn } = await (await client.startTurn({ threadId, input })).result();
  return turn.items.flatMap((item) => (item.type === "commandExecution" ? [item] : []));
}

test("a command's approval: accepted, declined, without a handler", async () => {
  await using fixture = await createClientFixture();
  const client = fixture.createClient();
  const threadId = await fixture.startThread(client, asking);
  expect(await readOutput(client, threadId, "run! echo unasked")).toMatchObject([{ status: "declined" }]);
  const seen: unknown[] = [];
  const stop = client.onCommandApproval(({ command, threadId: id }, { signal }) => {
    seen.push([command?.includes("echo asked"), id === threadId, signal.aborted]);
    return { decision: "accept" };
  });
  expect(await readOutput(client, threadId, "run! echo asked")).toMatchObject([
    { status: "completed", aggregatedOutput: "asked\n" },
  ]);
  stop();
  client.onCommandApproval(() => ({ decision: "decline" }), threadId);
  expect(await readOutput(client, threadId, "run! echo asked")).toMatchObject([{ status: "declined" }]);
  expect(seen).toEqual([[true, true, false]]);
});

test("a file change's approval: without a handler, accepted", async () => {
  await using fixture = await createClientFixture();
  const client = fixture.createClient();
  const threadId = await fixture.startThread(client, asking);
  const file = join(fixture.workDir, "new.txt");
  const addFile = async () => (await client.startTurn({ threadId, input: "add new.txt" })).result();
  await addFile();
  expect(existsSync(file)).toBe(false);
  client.onFileChangeApproval(() => ({ decision: "accept" }));
  await addFile();
  expect(existsSync(file)).toBe(true);
});

test("a handler that throws refuses, and its error is told", async () => {
  await using fixture = await createClientFixture();
  const errors: unknown[] = [];
  const client = fixture.createClient({ onListenerError: (error) => void errors.push(error) });
  const threadId = await fixture.startThread(client, asking);
  client.onCommandApproval(() => {
    throw new Error("cannot decide");
  });
  expect(await readOutput(client, threadId, "run! echo x")).toMatchObject([{ status: "declined" }]);
  expect(errors).toEqual([new Error("cannot decide")]);
});

const cyclic: Record<string, unknown> = { decision: "accept" };
cyclic.self = cyclic;

// Without a result the engine waited for ever.
test.each([
  ["nothing", undefined, "the handler of item/commandExecution/requestApproval returned no answer"],
  ["what refers to itself", cyclic, "Converting circular structure to JSON"],
  ["a BigInt", { decision: 1n }, "Do not know how to serialize a BigInt"],
])("a handler that returns %s refuses, and its error is told", async (_what, answer, message) => {
  await using fixture = await createClientFixture();
  const errors: unknown[] = [];
  const client = fixture.createClient({ onListenerError: (error) => void errors.push(error) });
  const threadId = await fixture.startThread(client, asking);
  client.onCommandApproval(() => answer as never);
  expect(await readOutput(client, threadId, "run! echo x")).toMatchObject([{ status: "declined" }]);
  expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })]);
});

test("without anybody to tell, what a handler throws is a warning and not the program's end", async () => {
  await using fixture = await createClientFixture();
  const client = fixture.createClient();
  const threadId = await fixture.startThread(client, asking);
  const warned = once(process, "warning");
  client.onCommandApproval(() => {
    throw new Error("cannot decide");
  });
  expect(await readOutput(client, threadId, "run! echo x")).toMatchObject([{ status: "declined" }]);
  const [warning] = await warned;
  expect(warning).toMatchObject({
    name: "CodexWarning",
    message: "a handler threw: cannot decide",
    code: "CODEX_JS_SDK_HANDLER_FAILED",
  });
});

test.each([
  ["accept", "the user: accept"],
  ["decline", "the user: decline"],
  ["cancel", "the user: cancel"],
] as const)("an MCP server's question, answered by %s", async (action, expected) => {
  await using fixture = await createClientFixture({ withMcp: true });
  const client = fixture.createClient();
  // Of an MCP server's own tool the engine asks by an elicitation too.
  client.onElicitation(({ message }) => ({
    action: message === "really?" ? action : "accept",
    content: {},
    _meta: null,
  }));
  const threadId = await fixture.startThread(client, { ...asking, sandbox: "danger-full-access" });
  const { turn } = await (await client.startTurn({ threadId, input: "tool mcp__calc.ask" })).result();
  expect(JSON.stringify(turn.items.find(({ type }) => type === "mcpToolCall"))).toContain(expected);
});

test("an MCP server's question without a handler is declined", async () => {
  await using fixture = await createClientFixture({ withMcp: true });
  const client = fixture.createClient();
  const threadId = await fixture.startThread(client, { ...asking, sandbox: "danger-full-access" });
  const { turn } = await (await client.startTurn({ threadId, input: "tool mcp__calc.ask" })).result();
  expect(JSON.stringify(turn.items.find(({ type }) => type === "mcpToolCall"))).toMatch(/rejected|decline/);
});

test("a dynamic tool, with a handler and without", async () => {
  await using fixture = await createClientFixture();
  const client = fixture.createClient();
  const dynamicTools = [
    {
      type: "function",
      name: "weather",
      description: "weather",
      inputSchema: { type: "object", properties: {} },
    },
  ];
  const runOnce = async () => {
    const threadId = await fixture.startThread(client, { dynamicTools });
    await (await client.startTurn({ threadId, input: 'tool weather {"place":"Basel"}' })).result();
    return JSON.stringify(fixture.model.requests.at(-1)!.body);
  };
  expect(await runOnce()).toContain("this client has no handler for it");
  client.onToolCall(({ tool, arguments: args }) => ({
    contentItems: [{ type: "inputText", text: `${tool} of ${(args as { place: string }).place}: rain` }],
    success: true,
  }));
  expect(await runOnce()).toContain("weather of Basel: rain");
});

/** Tools by which a model asks; both are off unless they are asked for. */
const askingTools = { features: { default_mode_request_user_input: true, request_permissions_tool: true } };
const option = (label: string) => ({ label, description: label });
const question = {
  id: "colour",
  header: "Colour",
  question: "Which?",
  options: [option("red"), option("blue")],
};
const wish = { reason: "to fetch it", permissions: { network: { enabled: true } } };
const granted = { permissions: { network: { enabled: true } }, scope: "turn" as const };

/** Each kind of question: how the model asks it, how it is answered, and what the model then gets. */
const kinds = [
  {
    name: "the user",
    call: `tool request_user_input ${JSON.stringify({ questions: [question] })}`,
    handle: (client: CodexClient, answer: () => unknown, seen: unknown[] = []) =>
      client.onUserInput(async ({ questions }, { signal }) => {
        seen.push(
          questions[0]?.question,
          questions[0]?.options?.map(({ label }) => label),
          signal,
        );
        return ((await answer()) as never) ?? { answers: { colour: { answers: ["red"] } } };
      }),
    seen: ["Which?", ["red", "blue"], expect.any(AbortSignal)],
    answered: { answers: { colour: { answers: ["red"] } } },
    refused: { answers: {} },
  },
  {
    name: "for permissions",
    call: `tool request_permissions ${JSON.stringify(wish)}`,
    handle: (client: CodexClient, answer: () => unknown, seen: unknown[] = []) =>
      client.onPermissionsApproval(async ({ reason, permissions }, { signal }) => {
        seen.push(reason, permissions.network, signal);
        return ((await answer()) as never) ?? granted;
      }),
    seen: ["to fetch it", { enabled: true }, expect.any(AbortSignal)],
    answered: { permissions: { network: { enabled: true }, file_system: null }, scope: "turn" },
    refused: { permissions: { network: null, file_system: null }, scope: "turn" },
  },
];

describe.each(kinds)("the agent asks $name", ({ call, handle, seen, answered, refused }) => {
  async function setUp(fixture: ClientFixture, options: CodexClientOptions = {}) {
    const client = fixture.createClient({ config: askingTools, ...options });
    const threadId = await fixture.startThread(client, asking);
    const ask = () => client.startTurn({ threadId, input: call });
    const readOutput = () => {
      const { input } = fixture.model.requests.at(-1)!.body as { input: { output?: string }[] };
      return JSON.parse(input.at(-1)!.output!);
    };
    return { client, threadId, ask, readOutput };
  }

  test("with a handler, and without", async () => {
    await using fixture = await createClientFixture();
    const { client, ask, readOutput } = await setUp(fixture);
    const asked: unknown[] = [];
    const stop = handle(client, () => undefined, asked);
    await (await ask()).result();
    expect([asked, readOutput()]).toEqual([seen, answered]);
    stop();
    await (await ask()).result();
    expect(readOutput()).toEqual(refused);
  });

  test("a handler that throws refuses, and its error is told", async () => {
    await using fixture = await createClientFixture();
    const errors: unknown[] = [];
    const { client, ask, readOutput } = await setUp(fixture, {
      onListenerError: (error) => void errors.push(error),
    });
    handle(client, () => Promise.reject(new Error("cannot decide")));
    await (await ask()).result();
    expect([readOutput(), errors]).toEqual([refused, [new Error("cannot decide")]]);
  });

  test("an interrupted turn aborts the handler's signal, and the next turn goes on", async () => {
    await using fixture = await createClientFixture();
    const { client, threadId, ask } = await setUp(fixture);
    const asked: unknown[] = [];
    const signal = new Promise<AbortSignal>((resolve) => {
      handle(client, () => new Promise(() => resolve(asked.at(-1) as AbortSignal)), asked);
    });
    const turn = await ask();
    const open = await signal;
    const aborted = new Promise((resolve) => open.addEventListener("abort", resolve));
    await turn.interrupt();
    await aborted;
    expect((await turn.completed).status).toBe("interrupted");
    const next = await client.startTurn({ threadId, input: "next" });
    expect((await next.result()).finalResponse).toBe("echo: next");
  });
});
