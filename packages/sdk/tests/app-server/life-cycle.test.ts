import { execFile, spawn } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EngineState } from "../../src/app-server/engine-link.ts";
import { EngineCrashedError } from "../../src/errors.ts";
import { identifyProcess } from "../../src/process-tree.ts";
import { createFixture, type Fixture, isAlive, startThread, text, until } from "./engine-fixture.ts";

const run = promisify(execFile);
let fixture: Fixture;
beforeEach(async () => {
  fixture = await createFixture();
});
afterEach(() => fixture[Symbol.asyncDispose]());

/** The engine whose record is there; each test has a folder of its own. */
async function readRecords(): Promise<{ engine: { pid: number }; marker: string }[]> {
  const files = (await readdir(fixture.recordDir).catch(() => [])).filter((file) => file.endsWith(".json"));
  return Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(fixture.recordDir, file), "utf8"))),
  );
}
const readPid = async () => (await readRecords())[0]!.engine.pid;

// openai/codex#40766: after the crash the thread could not be used any more.
test("SIGKILL in mid-turn fails the turn at once; the next call starts an engine and resumes the thread", async () => {
  const client = fixture.createClient();
  const states: EngineState[] = [];
  client.onStateChange(({ state }) => states.push(state));
  const threadId = await startThread(client, fixture.workDir);
  await (await client.startTurn({ threadId, input: text("remember") })).completed;
  const turn = await client.startTurn({ threadId, input: text("hang") });
  const pending = client.request("thread/list", {}).catch((error) => error);
  const pid = await readPid();
  await pending;
  process.kill(pid, "SIGKILL");

  const error: EngineCrashedError = await turn.completed.then(
    () => undefined as never,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(EngineCrashedError);
  expect({ ...error }).toMatchObject({
    code: "CODEX_JS_SDK_ENGINE_CRASHED",
    exitCode: null,
    signal: "SIGKILL",
    threadId,
    turnId: turn.id,
  });
  expect(error.message).toContain(`was ended by SIGKILL during turn ${turn.id} of thread ${threadId}`);
  expect(error.stderr).toContain("PATH aliases");
  const iterate = async () => {
    for await (const _ of turn.events);
  };
  await expect(iterate()).rejects.toBe(error);
  expect(client.state).toBe("crashed");

  const next = await client.startTurn({ threadId, input: text("again") });
  expect(await next.completed).toMatchObject({ status: "completed" });
  const { thread } = await client.request("thread/read", { threadId, includeTurns: true });
  expect(thread.turns.length).toBe(3);
  await client.close();
  expect(states).toEqual(["starting", "ready", "crashed", "starting", "ready", "closing", "closed"]);
});

test("exit code 0 in mid-turn is a crash too", async () => {
  const client = fixture.createClient();
  const threadId = await startThread(client, fixture.workDir);
  const turn = await client.startTurn({ threadId, input: text("hang") });
  const iterate = async () => {
    for await (const event of turn.events) {
      if (event.method === "item/agentMessage/delta") process.kill(await readPid(), "SIGTERM");
    }
  };
  await expect(iterate()).rejects.toBeInstanceOf(EngineCrashedError);
  await expect(turn.completed).rejects.toMatchObject({
    code: "CODEX_JS_SDK_ENGINE_CRASHED",
    exitCode: 0,
    signal: null,
  });
});

test("a thread that never ran a turn is lost with its engine, and nothing silently takes its place", async () => {
  const client = fixture.createClient();
  const threadId = await startThread(client, fixture.workDir);
  process.kill(await readPid(), "SIGKILL");
  await until(() => client.state === "crashed");
  await expect(client.startTurn({ threadId, input: text("x") })).rejects.toMatchObject({
    code: "CODEX_JS_SDK_THREAD_LOST",
    hint: "start a new thread",
  });
});

test("a thread of another client's engine is resumed by its first turn; an unknown one is not invented", async () => {
  const first = fixture.createClient();
  const threadId = await startThread(first, fixture.workDir);
  await (await first.startTurn({ threadId, input: text("x") })).completed;
  await first.close();
  const second = fixture.createClient();
  expect(await (await second.startTurn({ threadId, input: text("y") })).completed).toMatchObject({
    status: "completed",
  });
  await expect(
    second.startTurn({ threadId: "01a22d35-0000-7000-8000-000000000000", input: text("x") }),
  ).rejects.toMatchObject({ code: "CODEX_JS_SDK_THREAD_LOST" });
});

test("an engine that crashes too often is not started again", async () => {
  const client = fixture.createClient({ restart: { maxCrashes: 2, windowMs: 60_000 } });
  for (let crash = 0; crash < 2; crash++) {
    await client.start();
    await until(() => client.state === "ready");
    process.kill(await readPid(), "SIGKILL");
    await until(() => client.state === "crashed");
    // The record goes last; the next start writes one of its own.
    while ((await readRecords()).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await expect(client.start()).rejects.toMatchObject({ code: "CODEX_JS_SDK_ENGINE_RESTARTS_EXHAUSTED" });
});

test("a missing engine, one that fails at once, one that never answers, one that is too old", async () => {
  const node = (script: string) => () => ({ ...fixture.command(["-e", script]), file: process.execPath });
  const missing = fixture.createClient({ command: () => ({ ...fixture.command(), file: "/no/such/codex" }) });
  await expect(missing.start()).rejects.toMatchObject({
    code: "CODEX_JS_SDK_ENGINE_NOT_STARTED",
    message: expect.stringContaining("/no/such/codex"),
  });
  const failing = fixture.createClient({ command: node("console.error('bad config'); process.exit(7)") });
  await expect(failing.start()).rejects.toMatchObject({
    code: "CODEX_JS_SDK_ENGINE_NOT_STARTED",
    message: expect.stringContaining("exited with code 7\nbad config"),
  });
  const silent = fixture.createClient({ command: node("setInterval(() => {}, 1000)"), startTimeoutMs: 100 });
  await expect(silent.start()).rejects.toMatchObject({
    code: "CODEX_JS_SDK_ENGINE_NOT_STARTED",
    message: expect.stringContaining("initialize was not answered within 100 ms"),
  });
  const old = fixture.createClient({ minEngineVersion: "999.0.0" });
  await expect(old.start()).rejects.toMatchObject({ code: "CODEX_JS_SDK_ENGINE_TOO_OLD" });
  expect(await readRecords()).toEqual([]);
});

test("closing in mid-turn interrupts it, ends the engine and leaves nothing behind", async () => {
  const client = fixture.createClient();
  const threadId = await startThread(client, fixture.workDir);
  const turn = await client.startTurn({ threadId, input: text("hang") });
  for await (const event of turn.events) if (event.method === "turn/started") break;
  const pid = await readPid();
  await client.close();
  await client.close();
  expect(await turn.completed).toMatchObject({ status: "interrupted" });
  expect([isAlive(pid), await readRecords()]).toEqual([false, []]);
  await expect(client.request("thread/list", {})).rejects.toMatchObject({
    code: "CODEX_JS_SDK_CONNECTION_CLOSED",
  });
});

/** Ignores end of input and SIGTERM, as some MCP servers do, and says where it runs. */
const stubbornServer = (pidFile: string) => `
import { createInterface } from "node:readline";
import { writeFileSync } from "node:fs";
process.on("SIGTERM", () => {});
setInterval(() => {}, 1000);
writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const answer = (result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  if (method === "initialize")
    answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "stub", version: "1" } });
  if (method === "tools/list") answer({ tools: [] });
});`;

// openai/codex#30408, #18881, #21994. The engine gives each MCP server a process group of its own.
test.skipIf(process.platform !== "linux")(
  "MCP servers and commands end with an engine that was killed",
  async () => {
    const [server, serverPid, sleepPid] = ["mcp.mjs", "mcp.pid", "sleep.pid"].map((name) =>
      join(fixture.dir, name),
    );
    await writeFile(server!, stubbornServer(serverPid!));
    const mcp = `mcp_servers.stub={command=${JSON.stringify(process.execPath)},args=[${JSON.stringify(server)}]}`;
    const client = fixture.createClient({ command: () => fixture.command(["app-server", "-c", mcp]) });
    const threadId = await startThread(client, fixture.workDir, { sandbox: "danger-full-access" });
    const command = `setsid sh -c 'echo $$ > ${sleepPid}; exec sleep 1000' & sleep 1000`;
    const turn = await client.startTurn({ threadId, input: text(`run ${command}`) });
    const readPids = () =>
      Promise.all(
        [serverPid!, sleepPid!].map(async (file) => Number(await readFile(file, "utf8").catch(() => "0"))),
      );
    while ((await readPids()).includes(0)) await new Promise((resolve) => setTimeout(resolve, 10));
    const pids = await readPids();
    process.kill(await readPid(), "SIGKILL");
    await expect(turn.completed).rejects.toBeInstanceOf(EngineCrashedError);
    await until(() => !pids.some(isAlive));
    await client.close();
    expect(await readRecords()).toEqual([]);
  },
);

// openai/codex#21994: the engine leaves the commands of an interrupted turn running.
test.skipIf(process.platform === "win32")(
  "aborting a turn ends its command and what that has started",
  async () => {
    const clientInfo = { name: "codex_js_test", title: null, version: "1" };
    const client = fixture.createClient({ introduction: { clientInfo, experimentalApi: true } });
    const threadId = await startThread(client, fixture.workDir, { sandbox: "danger-full-access" });
    const pidFiles = ["shell.pid", "stubborn.pid"].map((name) => join(fixture.dir, name));
    const stubborn = `sh -c 'trap "" TERM; echo $$ > ${pidFiles[1]}; sleep 1000; sleep 1000'`;
    const command = `${stubborn} & echo $$ > ${pidFiles[0]}; sleep 1000`;
    const abort = new AbortController();
    // The command may have written its number before the engine's notice of it is here.
    const noticed = new Promise<void>((resolve) => {
      client.onNotification(
        "item/started",
        ({ params }) => params.item.type === "commandExecution" && resolve(),
      );
    });
    const turn = await client.startTurn(
      { threadId, input: text(`run ${command}`) },
      { signal: abort.signal },
    );
    const readPids = () =>
      Promise.all(pidFiles.map(async (file) => Number(await readFile(file, "utf8").catch(() => "0"))));
    await noticed;
    while ((await readPids()).includes(0)) await new Promise((resolve) => setTimeout(resolve, 10));
    const pids = await readPids();
    abort.abort();
    await expect(turn.completed).rejects.toMatchObject({ name: "AbortError" });
    await until(() => !pids.some(isAlive));
  },
);

const clientModule = new URL("../../src/app-server/client.ts", import.meta.url).href;

/** A program that uses the client and says its engine's pid. */
async function writeProgram(body: string): Promise<string> {
  const file = join(fixture.dir, "program.ts");
  await writeFile(
    file,
    `import { AppServerClient } from ${JSON.stringify(clientModule)};
const client = AppServerClient.overStdio({
  command: () => (${JSON.stringify(fixture.command())}),
  introduction: { clientInfo: { name: "program", title: null, version: "1" } },
  recordDir: ${JSON.stringify(fixture.recordDir)},
});
const { thread } = await client.request("thread/start", { cwd: ${JSON.stringify(fixture.workDir)}, approvalPolicy: "never" });
const input = (text) => [{ type: "text", text, text_elements: [] }];
${body}`,
  );
  return file;
}

test.each(["node", "bun"])(
  "%s: a program that only runs a turn ends by itself, and its engine with it",
  async (runtime) => {
    const program = await writeProgram(`
const turn = await client.startTurn({ threadId: thread.id, input: input("hello") });
for await (const event of turn.events)
  if (event.method === "item/completed" && event.params.item.type === "agentMessage") console.log(event.params.item.text);
process.on("exit", () => console.log("exit", client.state));
`);
    const { stdout } = await run(runtime, [program], { timeout: 30_000 });
    expect(stdout).toBe("echo: hello\nexit closed\n");
    expect(await readRecords()).toEqual([]);
  },
);

test.each(["node", "bun"])(
  "%s: what an engine of a killed host left behind is reaped by the next start",
  async (runtime) => {
    await mkdir(fixture.recordDir, { mode: 0o700 });
    const program = await writeProgram(`
await client.startTurn({ threadId: thread.id, input: input("hang") });
console.log("running");
`);
    const host = spawn(runtime, [program], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise((resolve) => host.stdout.once("data", resolve));
    const { engine } = (await readRecords())[0]!;
    expect(await identifyProcess(engine.pid)).toEqual(engine);
    // An engine that does not see its input end.
    process.kill(engine.pid, "SIGSTOP");
    const ended = new Promise((resolve) => host.once("exit", resolve));
    host.kill("SIGKILL");
    await ended;
    expect(isAlive(engine.pid)).toBe(true);
    const client = fixture.createClient();
    await client.start();
    expect(isAlive(engine.pid)).toBe(false);
    expect((await readRecords()).map((record) => record.engine.pid)).not.toContain(engine.pid);
  },
);
