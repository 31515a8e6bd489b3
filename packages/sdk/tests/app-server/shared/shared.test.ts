import { existsSync } from "node:fs";
import { chmod, chown, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createFakeEngine, step } from "@codex-js/testkit/fake-engine";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AppServerClient } from "../../../src/app-server/client.ts";
import { joinSharedServer } from "../../../src/app-server/shared/join-shared-server.ts";
import { isAlive, startThread, text, until } from "../engine-fixture.ts";
import { createSharedFixture, listProcesses, type SharedFixture } from "./shared-fixture.ts";

let fixture: SharedFixture;

/** A prompt whose turn ends when the file is there. */
const waitFor = (file: string) => `run until [ -e ${file} ]; do sleep 0.05; done`;
const untilAsync = async (condition: () => Promise<boolean>) => {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
};

async function complete(client: AppServerClient, threadId: string, prompt: string) {
  return (await client.startTurn({ threadId, input: text(prompt) })).completed;
}

/** Starts a turn and waits until the engine is at work on it. */
async function startTool(client: AppServerClient, threadId: string, file: string) {
  const started = new Promise<void>((resolve) => {
    client.onNotification({ method: "item/started", threadId }, ({ params }) => {
      if (params.item.type === "commandExecution") resolve();
    });
  });
  const turn = await client.startTurn({ threadId, input: text(waitFor(file)) });
  await started;
  return turn;
}

describe.skipIf(process.platform === "win32")("a shared server", () => {
  beforeEach(async () => {
    fixture = await createSharedFixture();
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  // openai/codex#37947: of two servers each would write to the same threads.
  test("20 programs at once, on Node and Bun, start one server, which outlives them", async () => {
    const programs = Array.from({ length: 20 }, (_, index) =>
      fixture.startProgram(index % 2 === 0 ? "node" : "bun"),
    );
    const reports = await Promise.all(programs.map(({ report }) => report));
    const record = (await fixture.record())!;
    expect(reports.map((report) => "pid" in report && report.pid)).toEqual(Array(20).fill(record.pid));
    expect(reports.filter((report) => "pid" in report && report.isStarter).length).toBe(1);
    expect(listProcesses(fixture.place.dir)).toHaveLength(4);
    expect((await fixture.leftovers()).sort()).toEqual(["app.sock", "presence", "server"]);

    await Promise.all(programs.map((program) => program.leave()));
    expect([isAlive(record.pid), isAlive(record.supervisor)]).toEqual([true, true]);
    const client = fixture.createClient();
    await client.start();
    expect((await fixture.record())!.pid).toBe(record.pid);
  });

  test("only the owner can get at it", async () => {
    const client = fixture.createClient();
    await client.start();
    const modes = await Promise.all(
      [fixture.options.stateDir, fixture.place.dir, fixture.place.socketPath, fixture.place.presencePath].map(
        async (path) => ((await stat(path)).mode & 0o777).toString(8),
      ),
    );
    expect(modes).toEqual(["700", "700", "600", "600"]);
  });

  test.skipIf(process.platform !== "linux")(
    "the engine does not ignore SIGINT, nor then the agent's commands",
    async () => {
      await fixture.createClient().start();
      const status = await readFile(`/proc/${(await fixture.record())!.pid}/status`, "utf8");
      const ignored = Number.parseInt(/^SigIgn:\s+(\S+)/m.exec(status)![1]!.slice(-8), 16);
      expect(ignored & 0b110).toBe(0);
    },
  );

  test("a folder with a path longer than a socket's address may be", async () => {
    const stateDir = join(fixture.base.dir, "long".repeat(30));
    const client = fixture.createClient({ stateDir });
    expect((await client.request("thread/list", {})).data).toEqual([]);
    await client.close();
    for (const pid of listProcesses(stateDir)) process.kill(pid, "SIGTERM");
    await until(() => listProcesses(stateDir).length === 0);
  });

  test("two programs see each other's thread and turns", async () => {
    const [first, second] = [fixture.createClient(), fixture.createClient()];
    const threadId = await startThread(first, fixture.base.workDir);
    await complete(first, threadId, "one");
    const { thread } = await second.request("thread/resume", { threadId });
    expect(thread.turns).toHaveLength(1);
    const seen = new Promise((resolve) => second.onNotification("turn/completed", resolve));
    const turn = await first.startTurn({ threadId, input: text("two") });
    expect(await seen).toMatchObject({ params: { threadId, turn: { id: turn.id, status: "completed" } } });
    expect((await first.start()).server.codexHome).toBe((await second.start()).server.codexHome);
  });

  test("a program is killed in mid-turn; another one resumes the thread and gets the completion", async () => {
    const go = join(fixture.base.dir, "go");
    const program = fixture.startProgram("bun", { cwd: fixture.base.workDir, prompt: waitFor(go) });
    const report = await program.report;
    if (!("threadId" in report)) throw new Error("expected a turn");
    program.child.kill("SIGKILL");
    await program.leave();

    const client = fixture.createClient();
    const completed = new Promise((resolve) => client.onNotification("turn/completed", resolve));
    // With its turns it is refused ("list_turns is not supported yet") until its first turn has ended.
    await client.request("thread/resume", { threadId: report.threadId, excludeTurns: true });
    await writeFile(go, "");
    expect(await completed).toMatchObject({
      params: { threadId: report.threadId, turn: { id: report.turnId, status: "completed" } },
    });
  });

  /** Clients that have the same thread loaded, as programs of their own have. */
  async function openThread(count: number, options: Parameters<typeof fixture.createClient>[0] = {}) {
    const clients = Array.from({ length: count }, () => fixture.createClient(options));
    const threadId = await startThread(clients[0]!, fixture.base.workDir);
    await complete(clients[0]!, threadId, "one");
    const run = async (client: AppServerClient, prompt: string) => {
      const turn = await client.startTurn({ threadId, input: text(prompt) });
      return { id: turn.id, result: await turn.result() };
    };
    return { clients, threadId, run };
  }

  // The engine takes a turn that is started beside another one as more input for that.
  test("turns of several programs on one thread queue", async () => {
    const { clients, run } = await openThread(3);
    const turns = await Promise.all(clients.map((client, index) => run(client, `stream ${index + 20}`)));
    expect(new Set(turns.map(({ id }) => id)).size).toBe(3);
    expect(turns.map(({ result }) => result.finalResponse.trim().split(" ").length)).toEqual([20, 21, 22]);
  });

  test("without the lock no two have the same turn either: one of them is told", async () => {
    const { clients, run } = await openThread(2, { lockThread: async () => async () => {} });
    const outcomes = await Promise.allSettled(clients.map((client) => run(client, "stream 30")));
    const ids = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.id] : []));
    const failures = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason.code] : [],
    );
    expect(ids.length).toBeGreaterThan(0);
    expect([...new Set(ids), ...failures]).toHaveLength(2);
    expect(failures).toEqual(failures.map(() => "CODEX_JS_SDK_THREAD_BUSY"));
  });

  test("a turn that its program left running is waited for; the waiting can be aborted", async () => {
    const go = join(fixture.base.dir, "go-on");
    const program = fixture.startProgram("node", { cwd: fixture.base.workDir, prompt: waitFor(go) });
    const report = await program.report;
    if (!("threadId" in report)) throw new Error("expected a turn");
    const { threadId } = report;
    program.child.kill("SIGKILL");
    await program.leave();

    const client = fixture.createClient();
    const abort = new AbortController();
    const impatient = client.startTurn({ threadId, input: text("now") }, { signal: abort.signal });
    abort.abort();
    await expect(impatient).rejects.toMatchObject({ name: "AbortError" });
    const next = client.startTurn({ threadId, input: text("and now") });
    const ends: string[] = [];
    client.onNotification(
      { method: "turn/completed", threadId },
      ({ params }) => void ends.push(params.turn.id),
    );
    await writeFile(go, "");
    const turn = await next;
    expect((await turn.result()).finalResponse).toBe("echo: and now");
    expect(ends).toEqual([report.turnId, turn.id]);
  });

  test("the server is killed in mid-turn: the turn fails at once, the next call starts another and resumes", async () => {
    const client = fixture.createClient();
    const states: string[] = [];
    client.onStateChange(({ state }) => states.push(state));
    const threadId = await startThread(client, fixture.base.workDir);
    await complete(client, threadId, "one");
    const turn = await client.startTurn({ threadId, input: text("hang") });
    const { pid, supervisor } = (await fixture.record())!;
    process.kill(pid, "SIGKILL");
    await expect(turn.completed).rejects.toMatchObject({ code: "CODEX_JS_SDK_CONNECTION_CLOSED" });
    expect(await complete(client, threadId, "two")).toMatchObject({ status: "completed" });
    expect((await fixture.record())!.pid).not.toBe(pid);
    await until(() => !isAlive(supervisor));
    expect(states).toEqual(["starting", "ready", "crashed", "starting", "ready"]);
  });

  /** An MCP server that ignores the polite ways of being ended, and says who it is. */
  const stubbornServer = (pidFile: string) => `
  import { writeFileSync } from "node:fs";
  import { createInterface } from "node:readline";
  process.on("SIGTERM", () => {});
  writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
  setInterval(() => {}, 1000);
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    const result = method === "initialize"
      ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "stub", version: "1" } }
      : { tools: [] };
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  });
`;

  test.skipIf(process.platform !== "linux")(
    "what a killed server has started is ended by the next one",
    async () => {
      const [script, pidFile] = [join(fixture.base.dir, "mcp.mjs"), join(fixture.base.dir, "mcp.pid")];
      await writeFile(script, stubbornServer(pidFile));
      const mcp = `mcp_servers.stub={command=${JSON.stringify(process.execPath)},args=[${JSON.stringify(script)}]}`;
      const client = fixture.createClient({}, fixture.base.command(["app-server", "-c", mcp]));
      const threadId = await startThread(client, fixture.base.workDir);
      await complete(client, threadId, "one");
      const pid = Number(await readFile(pidFile, "utf8"));
      expect(isAlive(pid)).toBe(true);
      const { supervisor } = (await fixture.record())!;
      process.kill((await fixture.record())!.pid, "SIGKILL");
      await until(() => !isAlive(supervisor));
      expect((await readdir(fixture.place.dir)).sort()).toEqual(["crashed", "log"]);
      expect(isAlive(pid)).toBe(true);
      await fixture.createClient().start();
      expect(isAlive(pid)).toBe(false);
    },
  );

  test("a program that was killed while it replaced the server is in nobody's way", async () => {
    const client = fixture.createClient();
    await client.start();
    const { pid } = (await fixture.record())!;
    await rename(fixture.place.presencePath, fixture.place.replacingPath);
    await fixture.createClient().start();
    expect((await fixture.record())!.pid).toBe(pid);
  });

  test("closing while the server is waited for ends the waiting", async () => {
    const first = fixture.createClient();
    await first.start();
    await rename(fixture.place.presencePath, fixture.place.leavingPath);
    const client = fixture.createClient();
    const started = client.start();
    await untilAsync(async () => existsSync(fixture.place.lockPath));
    await client.close();
    await expect(started).rejects.toMatchObject({ code: "CODEX_JS_SDK_CONNECTION_CLOSED" });
    expect([client.state, existsSync(fixture.place.lockPath)]).toEqual(["closed", false]);
  });

  test("a server that goes away again and again is not started any more", async () => {
    const client = fixture.createClient({ restart: { maxCrashes: 2, windowMs: 60_000 } });
    for (let crash = 0; crash < 2; crash++) {
      await client.start();
      process.kill((await fixture.record())!.pid, "SIGKILL");
      await until(() => client.state === "crashed");
    }
    await expect(client.start()).rejects.toMatchObject({ code: "CODEX_JS_SDK_ENGINE_RESTARTS_EXHAUSTED" });
  });

  test("what a killed server, a killed supervisor and a killed starter leave behind is in nobody's way", async () => {
    const first = fixture.createClient();
    await first.start();
    const record = (await fixture.record())!;
    for (const pid of listProcesses(fixture.place.dir)) process.kill(pid, "SIGKILL");
    await until(() => first.state === "crashed" && !isAlive(record.pid) && !isAlive(record.supervisor));
    expect((await readdir(fixture.place.dir)).sort()).toEqual(["app.sock", "log", "presence", "server"]);
    await writeFile(fixture.place.lockPath, JSON.stringify({ pid: record.pid, startTime: "1", id: "x" }));
    expect((await fixture.createClient().start()).generation).toBe(1);
    expect((await fixture.record())!.pid).not.toBe(record.pid);
    expect((await fixture.leftovers()).sort()).toEqual(["app.sock", "presence", "server"]);
  });

  // A supervisor that cleared up late once took away what the next server had just made.
  test("programs join while the server is killed again and again", async () => {
    const failures = new Set<string>();
    const work = async () => {
      for (let round = 0; round < 8; round++) {
        const client = fixture.createClient();
        await client.request("thread/loaded/list", {}).catch(({ code }) => failures.add(code));
        const record = round % 3 === 0 ? await fixture.record() : undefined;
        if (record !== undefined && isAlive(record.pid)) process.kill(record.pid, "SIGKILL");
        await client.close();
      }
    };
    await Promise.all([work(), work(), work(), work()]);
    for (const code of ["CODEX_JS_SDK_CONNECTION_CLOSED", "CODEX_JS_SDK_ENGINE_NOT_STARTED"])
      failures.delete(code);
    expect([...failures]).toEqual([]);
    await fixture.createClient().start();
    expect(listProcesses(fixture.place.dir)).toHaveLength(4);
  });

  test("a server without its supervisor is told to end, and replaced", async () => {
    const first = fixture.createClient();
    await first.start();
    const record = (await fixture.record())!;
    // A watcher that begins only now would keep the server up.
    await until(() => listProcesses(fixture.place.dir).length === 4);
    for (const pid of listProcesses(fixture.place.dir)) if (pid !== record.pid) process.kill(pid, "SIGKILL");
    await until(() => !isAlive(record.supervisor));
    await fixture.createClient().start();
    expect((await fixture.record())!.pid).not.toBe(record.pid);
    expect(isAlive(record.pid)).toBe(false);
  });

  test.skipIf(process.platform !== "linux")(
    "a watcher that is left alone holds up nobody: the next program starts a server at once",
    async () => {
      const first = fixture.createClient();
      await first.start();
      const { pid, supervisor } = (await fixture.record())!;
      const watchers = listProcesses(fixture.place.dir).filter((each) => each !== pid && each !== supervisor);
      for (const each of [supervisor, pid]) process.kill(each, "SIGKILL");
      await until(() => !isAlive(pid) && !isAlive(supervisor));
      await fixture.createClient().start();
      expect((await fixture.record())!.pid).not.toBe(pid);
      await until(() => !watchers.some(isAlive));
    },
  );

  test.skipIf(process.platform !== "linux")("a watcher that is killed is started again", async () => {
    const client = fixture.createClient({ idleTimeoutMs: 300 });
    await client.start();
    const { pid, supervisor } = (await fixture.record())!;
    // Those are shells with the folder on their command line; the one that waits for the other is older.
    const listWatchers = () =>
      listProcesses(fixture.place.dir).filter((each) => each !== pid && each !== supervisor);
    await until(() => listWatchers().length === 2);
    for (const each of listWatchers().slice(1)) process.kill(each, "SIGKILL");
    await until(() => listWatchers().length === 2);
    await client.close();
    await fixture.ended();
    expect(await fixture.leftovers()).toEqual([]);
  });

  test("without programs the server ends, and nothing is left", async () => {
    const client = fixture.createClient({ idleTimeoutMs: 300 });
    const threadId = await startThread(client, fixture.base.workDir);
    await complete(client, threadId, "one");
    // Longer than the server would wait for somebody to come.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(client.state).toBe("ready");
    await client.close();
    await fixture.ended();
    await untilAsync(async () => (await fixture.leftovers()).length === 0);
    expect(await complete(fixture.createClient(), threadId, "two")).toMatchObject({ status: "completed" });
  });

  test("a turn that nobody waits for is finished before an idle server ends; who comes meanwhile gets it", async () => {
    const go = join(fixture.base.dir, "go");
    const client = fixture.createClient({ idleTimeoutMs: 300 });
    const threadId = await startThread(client, fixture.base.workDir);
    const turn = await startTool(client, threadId, go);
    const { pid } = (await fixture.record())!;
    await client.close();
    await until(() => existsSync(fixture.place.leavingPath));
    const late = fixture.createClient();
    const resumed = late.request("thread/resume", { threadId });
    expect(isAlive(pid)).toBe(true);
    await writeFile(go, "");
    const { thread } = await resumed;
    expect(thread.turns).toMatchObject([{ id: turn.id, status: "completed" }]);
    expect([(await fixture.record())!.pid === pid, isAlive(pid)]).toEqual([false, false]);
  });

  test("the end of a turn that takes too long is not waited for without a limit", async () => {
    const client = fixture.createClient({ idleTimeoutMs: 200, drainLimitMs: 500 });
    const threadId = await startThread(client, fixture.base.workDir);
    await startTool(client, threadId, join(fixture.base.dir, "never"));
    await client.close();
    await fixture.ended();
    await untilAsync(async () => (await fixture.leftovers()).length === 0);
  });

  test("other configuration overrides are refused", async () => {
    await fixture.createClient().start();
    const other = fixture.createClient({}, fixture.base.command(["app-server", "-c", "model=other"]));
    await expect(other.start()).rejects.toMatchObject({ code: "CODEX_JS_SDK_SHARED_CONFIG_CONFLICT" });
    await other.close();
  });

  test("an engine that does not start is told of, and tried again", async () => {
    const broken = fixture.createClient({}, fixture.base.command(["app-server", "--no-such-flag"]));
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(broken.start()).rejects.toMatchObject({
        code: "CODEX_JS_SDK_ENGINE_NOT_STARTED",
        message: expect.stringMatching(/ended with code 2 before it was ready.*--no-such-flag/s),
      });
    }
    expect(await fixture.leftovers()).not.toContain("presence");
    await fixture.createClient().start();
  });

  test("an engine that hangs at its start is given up", async () => {
    const engine = await createFakeEngine({ appServer: [{ on: { event: "end" }, do: [step.linger()] }] });
    const command = { ...fixture.base.command(), file: engine.executablePath };
    const client = fixture.createClient({ startTimeoutMs: 1_000 }, command);
    const started = client.start();
    await expect(started).rejects.toMatchObject({
      code: "CODEX_JS_SDK_ENGINE_NOT_STARTED",
      message: expect.stringContaining("ended with code 137 before it was ready"),
    });
    await fixture.ended();
    await engine.remove();
  });

  test("folders that others could get at are refused", async () => {
    const join1 = (stateDir: string) =>
      joinSharedServer({ command: () => fixture.base.command(), ...fixture.options, stateDir });
    const [open, linked, file, foreign] = ["open", "linked", "file", "foreign"].map((name) =>
      join(fixture.base.dir, name),
    ) as [string, string, string, string];
    await mkdir(open);
    await chmod(open, 0o750);
    await symlink(fixture.options.stateDir, linked);
    await writeFile(file, "");
    await mkdir(foreign, { mode: 0o700 });
    const cases = [
      [open, "its mode is 750, expected 700"],
      [linked, "it is not a folder"],
      [file, "it is not a folder"],
      [join(file, "x"), "ENOTDIR"],
    ];
    if (process.getuid!() === 0) {
      await chown(foreign, 12_345, 0);
      cases.push([foreign, "it belongs to user 12345"]);
    }
    for (const [dir, why] of cases) {
      await expect(join1(dir!)).rejects.toMatchObject({
        code: "CODEX_JS_SDK_SHARED_DIR_UNSAFE",
        message: expect.stringContaining(why!),
      });
    }
  });

  /** The real engine under another version: its number has the same length wherever it stands. */
  async function createOlderEngine(): Promise<string> {
    const bytes = await readFile(fixture.base.command().file);
    for (let at = bytes.indexOf("0.171.0"); at >= 0; at = bytes.indexOf("0.171.0", at))
      bytes.write("0.170.9", at);
    const dir = join(fixture.base.dir, "older");
    await mkdir(join(dir, "bin"), { recursive: true });
    const vendor = join(dirname(fixture.base.command().file), "..");
    for (const name of await readdir(vendor)) {
      if (name !== "bin") await symlink(join(vendor, name), join(dir, name));
    }
    await writeFile(join(dir, "bin", "codex"), bytes, { mode: 0o755 });
    return join(dir, "bin", "codex");
  }

  // openai/codex#39440: after an upgrade the daemon went on with the old binary.
  test.skipIf(process.platform !== "linux")(
    "an older server finishes its turns and is replaced",
    async () => {
      const file = await createOlderEngine();
      const olderCommand = { ...fixture.base.command(), file };
      const older = fixture.createClient({ engineVersion: "0.170.9" }, olderCommand);
      const threadId = await startThread(older, fixture.base.workDir);
      const go = join(fixture.base.dir, "go");
      const turn = await startTool(older, threadId, go);
      const { pid } = (await fixture.record())!;
      const strict = fixture.createClient({ onVersionMismatch: "error" });
      await expect(strict.start()).rejects.toMatchObject({
        code: "CODEX_JS_SDK_SHARED_VERSION_MISMATCH",
        message: `the shared server (process ${pid}) runs engine 0.170.9, this program has 0.171.0`,
      });
      const hasty = fixture.createClient({ drainTimeoutMs: 100 });
      await expect(hasty.start()).rejects.toMatchObject({
        code: "CODEX_JS_SDK_SHARED_BUSY",
        message: `no shared server in time: server ${pid} has running turns`,
      });

      const newer = fixture.createClient();
      const started = newer.start();
      await writeFile(go, "");
      expect(await turn.completed).toMatchObject({ status: "completed" });
      expect((await started).server.userAgent).toContain("/0.171.0 ");
      expect([isAlive(pid), older.state]).toEqual([false, "crashed"]);
      expect(await complete(newer, threadId, "two")).toMatchObject({ status: "completed" });

      // The other way round it is an error, or the two would take turns.
      await expect(older.start()).rejects.toMatchObject({ code: "CODEX_JS_SDK_SHARED_VERSION_MISMATCH" });
      const asked = await joinSharedServer({
        command: () => olderCommand,
        stateDir: fixture.options.stateDir,
      });
      asked.leave();
      expect(asked.ownVersion).toBe("0.170.9");
      const back = fixture.createClient(
        { engineVersion: "0.170.9", onVersionMismatch: "replace" },
        olderCommand,
      );
      expect((await back.start()).server.userAgent).toContain("/0.170.9 ");
    },
  );
});

test.runIf(process.platform === "win32")(
  "is refused on Windows by name, with what to do instead",
  async () => {
    const joined = joinSharedServer({ command: () => ({ file: "codex.exe", args: [], env: {} }) });
    await expect(joined).rejects.toMatchObject({
      code: "CODEX_JS_SDK_SHARED_UNSUPPORTED",
      hint: expect.stringContaining("Codex.connect()"),
    });
  },
);
