import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CodexClient } from "../../src/index.ts";
import { type ClientFixture, createClientFixture } from "./client-fixture.ts";

let fixture: ClientFixture;
let client: CodexClient;
beforeEach(async () => {
  fixture = await createClientFixture();
  client = fixture.createClient();
});
afterEach(() => fixture[Symbol.asyncDispose]());

async function runTurn(threadId: string, input: string): Promise<string> {
  return (await (await client.startTurn({ threadId, input })).result()).finalResponse;
}

test("threads: start, read, list, name, fork, archive, unarchive, compact, unsubscribe, resume", async () => {
  const threadId = await fixture.startThread(client);
  expect(await runTurn(threadId, "one")).toBe("echo: one");
  await client.threads.setName({ threadId, name: "the first" });
  const listIds = async (archived: boolean) =>
    (await client.threads.list({ archived, sourceKinds: ["vscode"] })).data.map(({ id }) => id);
  expect(await listIds(false)).toEqual([threadId]);
  const { thread } = await client.threads.read({ threadId, includeTurns: true });
  expect({ id: thread.id, name: thread.name, turns: thread.turns.length }).toEqual({
    id: threadId,
    name: "the first",
    turns: 1,
  });
  const fork = (await client.threads.fork({ threadId })).thread;
  expect(fork.id).not.toBe(threadId);
  expect(await runTurn(fork.id, "two")).toBe("echo: two");
  expect(JSON.stringify(fixture.model.requests.at(-1)!.body)).toContain("echo: one");

  const compaction = await client.threads.compact({ threadId });
  expect((await compaction.result()).turn.items.map(({ type }) => type)).toContain("contextCompaction");

  await client.threads.archive({ threadId });
  expect(await listIds(true)).toEqual([threadId]);
  await client.threads.unarchive({ threadId });
  expect(await listIds(true)).toEqual([]);
  await client.threads.resume({ threadId });
  expect((await client.threads.unsubscribe({ threadId })).status).toBe("unsubscribed");
});

test("any method by its name, with its types; refusals and aborts", async () => {
  const { data } = await client.request("thread/loaded/list", {});
  expect(data satisfies string[]).toEqual([]);
  await expect(client.request("thread/read", { threadId: "x", includeTurns: false })).rejects.toMatchObject({
    name: "RpcError",
    code: "CODEX_JS_SDK_REQUEST_FAILED",
    method: "thread/read",
    rpcCode: -32600,
  });
  const signal = AbortSignal.abort(new Error("no"));
  await expect(client.request("model/list", {}, { signal })).rejects.toMatchObject({ name: "AbortError" });
});

test("models, the configured one", async () => {
  const { data, nextCursor } = await client.models.list({ limit: 1 });
  expect({ ids: data.map(({ id }) => id), nextCursor }).toEqual({ ids: ["mock-model"], nextCursor: null });
});

/** A provider that is worked with under the user's own login. */
const config = { model_providers: { mock: { requires_openai_auth: true } } };

test("a login by API key is known to the engine, and logging out forgets it", async () => {
  client = fixture.createClient({ config });
  expect((await client.account.read()).account).toBeNull();
  const login = await client.account.login({ type: "apiKey", apiKey: "sk-from-login" });
  await login.wait();
  await login.cancel();
  expect(login.response).toEqual({ type: "apiKey" });
  expect((await client.account.read()).account).toEqual({ type: "apiKey" });
  await client.account.logout();
  expect((await client.account.read()).account).toBeNull();
});

test("the option's key is the login of this engine alone, and is not stored", async () => {
  const own = fixture.createClient({ config, apiKey: "sk-option" });
  expect((await own.account.read()).account).toEqual({ type: "apiKey" });
  expect(existsSync(join(fixture.homeDir, "auth.json"))).toBe(false);
  // Its limits are nobody's: that needs ChatGPT.
  const error = await own.account.readRateLimits().catch((cause) => cause);
  expect(error).toMatchObject({ code: "CODEX_JS_SDK_REQUEST_FAILED", method: "account/rateLimits/read" });
});

test("a turn: events, steering, interruption, result", async () => {
  const threadId = await fixture.startThread(client);
  const turn = await client.startTurn({ threadId, input: "hang" });
  await turn.steer("and this");
  await turn.interrupt();
  expect((await turn.result()).turn.status).toBe("interrupted");
  const done = await client.startTurn({
    threadId,
    input: [{ type: "text", text: "stream 3", text_elements: [] }],
  });
  const methods = new Set<string>();
  for await (const { method } of done.events) methods.add(method);
  expect([...methods]).toEqual(expect.arrayContaining(["item/agentMessage/delta", "turn/completed"]));
  const { tokenUsage, turn: whole, finalResponse } = await done.result();
  expect({ finalResponse, types: whole.items.map(({ type }) => type) }).toEqual({
    finalResponse: "word word word ",
    types: ["userMessage", "agentMessage"],
  });
  expect(tokenUsage?.last.totalTokens).toBeGreaterThan(0);
});

test("notifications that were opted out of do not come", async () => {
  const quiet = fixture.createClient({ optOutNotificationMethods: ["item/agentMessage/delta"] });
  const seen: string[] = [];
  quiet.onNotification({}, ({ method }) => void seen.push(method));
  const threadId = await fixture.startThread(quiet);
  await (await quiet.startTurn({ threadId, input: "stream 3" })).result();
  expect(seen).toContain("turn/completed");
  expect(seen).not.toContain("item/agentMessage/delta");
});

test("an API key is in no error, its causes included", async () => {
  const own = fixture.createClient({
    apiKey: "sk-secret",
    config: { sandbox_mode: "sk-secret" },
  });
  const error = await fixture.startThread(own).catch((cause) => cause);
  const texts: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause)
    texts.push(JSON.stringify(at), at.message, at.stack ?? "");
  const thrown = texts.join("\n");
  expect(error).toMatchObject({ code: expect.any(String) });
  expect(thrown).toContain("***");
  expect(thrown).not.toContain("sk-secret");
});
