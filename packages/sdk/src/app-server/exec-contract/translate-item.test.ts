import { expect, test } from "vitest";
import { type EngineItem, translateItem } from "./translate-item.ts";

const item = (fields: object) => fields as EngineItem;

test("a command: camel case becomes snake case, no output an empty text", () => {
  const command = {
    type: "commandExecution",
    id: "c",
    command: "ls",
    aggregatedOutput: null,
    exitCode: null,
  };
  expect(translateItem(item({ ...command, status: "inProgress" }))).toEqual({
    type: "command_execution",
    command: "ls",
    aggregated_output: "",
    exit_code: null,
    status: "in_progress",
  });
});

test("a patch: a declined one has failed, kinds lose what exec does not show", () => {
  const changes = [
    { path: "a", kind: { type: "add" }, diff: "" },
    { path: "b", kind: { type: "update", move_path: "c" }, diff: "" },
  ];
  expect(translateItem(item({ type: "fileChange", id: "f", changes, status: "declined" }))).toEqual({
    type: "file_change",
    changes: [
      { path: "a", kind: "add" },
      { path: "b", kind: "update" },
    ],
    status: "failed",
  });
});

test("reasoning is its summary; an empty one is none", () => {
  const reasoning = (summary: string[]) =>
    translateItem(item({ type: "reasoning", id: "r", summary, content: ["raw"] }));
  expect(reasoning(["one", "two"])).toEqual({ type: "reasoning", text: "one\ntwo" });
  expect(reasoning([" ", "\n"])).toBeUndefined();
  expect(reasoning([])).toBeUndefined();
});

test("a call of a collaboration tool", () => {
  const call = {
    type: "collabAgentToolCall",
    id: "c",
    tool: "spawnAgent",
    senderThreadId: "s",
    receiverThreadIds: ["r"],
    prompt: "go",
    model: "m",
    agentsStates: { r: { status: "pendingInit", message: null } },
    status: "inProgress",
  };
  expect(translateItem(item(call))).toEqual({
    type: "collab_tool_call",
    tool: "spawn_agent",
    sender_thread_id: "s",
    receiver_thread_ids: ["r"],
    prompt: "go",
    agents_states: { r: { status: "pending_init", message: null } },
    status: "in_progress",
  });
});

test("a web search: null is left out, no action is another one", () => {
  const search = { type: "webSearch", id: "w", query: "q", results: null };
  expect(translateItem(item({ ...search, action: { type: "search", query: "q", queries: null } }))).toEqual({
    type: "web_search",
    query: "q",
    action: { type: "search", query: "q" },
  });
  expect(translateItem(item({ ...search, action: null }))).toMatchObject({ action: { type: "other" } });
});

test("an MCP call: metadata only where there is some", () => {
  const call = { type: "mcpToolCall", id: "m", server: "s", tool: "t", arguments: {}, status: "completed" };
  const result = { content: [], structuredContent: { a: 1 }, _meta: null };
  expect(translateItem(item({ ...call, result, error: null }))).toEqual({
    type: "mcp_tool_call",
    server: "s",
    tool: "t",
    arguments: {},
    result: { content: [], structured_content: { a: 1 } },
    error: null,
    status: "completed",
  });
  expect(
    translateItem(item({ ...call, result: { ...result, _meta: { b: 2 } }, error: null })),
  ).toHaveProperty("result._meta", { b: 2 });
});

test("what exec does not show, of the future too, is nothing", () => {
  for (const type of ["userMessage", "plan", "contextCompaction", "fromTheFuture"]) {
    expect(translateItem(item({ type, id: "x" }))).toBeUndefined();
  }
});
