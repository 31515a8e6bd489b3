import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Codex, CodexClient } from "../../src/index.ts";
import { type ClientFixture, createClientFixture } from "../client/client-fixture.ts";
import { startServer } from "../client/running-server.ts";

const mebi = 1024 * 1024;
const token = "0123456789abcdef0123456789abcdef";
const places = [
  ...(process.platform === "win32" ? [] : [["a unix socket", undefined] as const]),
  ["ws://", token] as const,
];

async function startThread(client: CodexClient, fixture: ClientFixture): Promise<string> {
  return fixture.startThread(client, { sandbox: "read-only" });
}

// openai/codex#32512: past 16 MiB in one piece the engine closes the connection without a word.
describe.each(places)("messages over 16 MiB over %s", (_name, secret) => {
  test("to the engine: in fragments up to 64 MiB, then refused before it is sent", async () => {
    await using fixture = await createClientFixture();
    await using server = await startServer(fixture, secret);
    await using client = CodexClient.connect(server.url, server);
    const ask = (mib: number) =>
      client.request("thread/list", { searchTerm: "x".repeat(mib * mebi) }).then(({ data }) => data);
    expect(await ask(17)).toEqual([]);
    await expect(ask(65)).rejects.toMatchObject({
      code: "CODEX_JS_SDK_MESSAGE_TOO_LONG",
      message: expect.stringMatching(/^a message of \d+ bytes is longer than the 67108864 bytes/),
      hint: "send less at once, or use an engine of your own over stdio",
    });
    expect([await ask(0), client.state]).toEqual([[], "ready"]);
  });

  test("from the engine: read whole", async () => {
    await using fixture = await createClientFixture();
    await using server = await startServer(fixture, secret);
    await using client = CodexClient.connect(server.url, server);
    const threadId = await startThread(client, fixture);
    const turn = await client.startTurn({ threadId, input: `long ${20 * mebi}` });
    expect((await turn.result()).finalResponse.length).toBe(20 * mebi);
    expect(client.state).toBe("ready");
  });

  test("from the engine, past this side's bound: an error that says so, and the next turn goes on", async () => {
    await using fixture = await createClientFixture();
    await using server = await startServer(fixture, secret);
    await using client = CodexClient.connect(server.url, {
      ...server,
      maxMessageBytes: mebi,
    });
    const threadId = await startThread(client, fixture);
    const turn = await client.startTurn({ threadId, input: `long ${17 * mebi}` });
    await expect(turn.result()).rejects.toMatchObject({
      code: "CODEX_JS_SDK_MESSAGE_TOO_LONG",
      hint: "ask for less at once, or raise maxMessageBytes",
    });
    // The server goes on with it, and with what is too long of it.
    await using other = CodexClient.connect(server.url, server);
    const isActive = async () => (await other.threads.read({ threadId })).thread.status.type === "active";
    while (await isActive()) await sleep(10);
    const next = await client.startTurn({ threadId, input: "short" });
    expect((await next.result()).finalResponse).toBe("echo: short");
  });

  test("a prompt that is too long is refused, and the thread goes on", async () => {
    await using fixture = await createClientFixture();
    await using server = await startServer(fixture, secret);
    await using codex = Codex.connect(server.url, server);
    const thread = codex.startThread({ workingDirectory: fixture.workDir, skipGitRepoCheck: true });
    await expect(thread.run("x".repeat(65 * mebi))).rejects.toMatchObject({
      code: "CODEX_JS_SDK_MESSAGE_TOO_LONG",
    });
    expect((await thread.run("short")).finalResponse).toBe("echo: short");
  });
});
