import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CodexClient } from "../../src/index.ts";
import { createClientFixture } from "./client-fixture.ts";

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
