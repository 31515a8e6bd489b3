import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Codex } from "../../src/index.ts";
import { createFixture, startThread, text } from "../app-server/engine-fixture.ts";
import { createClientFixture } from "../client/client-fixture.ts";
import { createMcpServers, type McpServers } from "./mcp-servers.ts";

const posix = { skip: process.platform === "win32" };
/** The engine's default is a minute. */
const unload = { thread_unload_delay_secs: 1 };

async function untilRunning(mcp: McpServers, count: number): Promise<void> {
  while ((await mcp.running()).length !== count) await sleep(10);
}

// openai/codex#30408, #18881: the engine starts every MCP server once for each thread, and they piled up.
test("MCP servers of threads: ended by unsubscribing, archiving, deleting, closing", posix, async () => {
  await using fixture = await createFixture();
  const mcp = await createMcpServers(fixture.dir);
  const args = ["app-server", "-c", mcp.toml, "-c", "thread_unload_delay_secs=1"];
  const client = fixture.createClient({ command: () => fixture.command(args) });
  const threads: string[] = [];
  for (let index = 0; index < 8; index++) {
    const threadId = await startThread(client, fixture.workDir);
    await (await client.startTurn({ threadId, input: text("x") })).completed;
    threads.push(threadId);
  }
  await untilRunning(mcp, 8);
  for (const threadId of threads.slice(0, 2)) await client.request("thread/unsubscribe", { threadId });
  await untilRunning(mcp, 6);
  for (const threadId of threads.slice(2, 4)) await client.request("thread/archive", { threadId });
  await untilRunning(mcp, 4);
  for (const threadId of threads.slice(4, 6)) await client.request("thread/delete", { threadId });
  await untilRunning(mcp, 2);
  // One that was let go of is loaded again by its next turn.
  const again = await client.startTurn({ threadId: threads[0]!, input: text("y") });
  expect(await again.completed).toMatchObject({ status: "completed" });
  await untilRunning(mcp, 3);
  await client.close();
  await untilRunning(mcp, 0);
  expect(await mcp.started()).toHaveLength(9);
});

// The same where a program only ever asks for threads and turns.
test("Codex lets go of threads that are not used, and of their MCP servers", posix, async () => {
  await using fixture = await createClientFixture();
  const mcp = await createMcpServers(fixture.workDir);
  await using codex = new Codex({ ...fixture.options, config: { ...mcp.config, ...unload } });
  const options = { workingDirectory: fixture.workDir, skipGitRepoCheck: true };
  const first = codex.startThread(options);
  await first.run("one");
  for (let index = 0; index < 11; index++) await codex.startThread(options).run("other");
  expect(await mcp.started()).toHaveLength(12);
  await untilRunning(mcp, 8);

  // One whose servers have ended, then one that the engine still has.
  const { finalResponse, usage, turnUsage } = await first.run("two");
  expect([finalResponse, usage?.input_tokens, turnUsage?.input_tokens]).toEqual(["echo: two", 22, 11]);
  const again = await first.run("three");
  expect([again.usage?.input_tokens, again.turnUsage?.input_tokens]).toEqual([33, 11]);
  await untilRunning(mcp, 8);
  await codex.close();
  await untilRunning(mcp, 0);
});

test("a thread that was let go of takes its next turn at once, with other options too", posix, async () => {
  await using fixture = await createClientFixture();
  await using codex = new Codex({ ...fixture.options });
  const options = { workingDirectory: fixture.workDir, skipGitRepoCheck: true };
  const threads = Array.from({ length: 10 }, () => codex.startThread(options));
  await Promise.all(threads.map((thread) => thread.run("one")));
  const turns = await Promise.all(threads.map((thread) => thread.run("two")));
  expect(turns.map(({ usage, turnUsage }) => [usage?.input_tokens, turnUsage?.input_tokens])).toEqual(
    threads.map(() => [22, 11]),
  );
  const lowly = { ...options, modelReasoningEffort: "low" as const };
  const resumed = await Promise.all(threads.map(({ id }) => codex.resumeThread(id!, lowly).run("three")));
  expect(resumed.map(({ finalResponse }) => finalResponse)).toEqual(threads.map(() => "echo: three"));
  const { reasoning } = fixture.model.requests.at(-1)!.body as { reasoning?: { effort?: string } };
  expect(reasoning?.effort).toBe("low");
});
