import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AppServerClient, type RemoteClientOptions } from "../../src/app-server/client.ts";
import { createFixture, type Fixture, startThread, text, until } from "./engine-fixture.ts";

let fixture: Fixture;
const servers: ChildProcess[] = [];
const clients: AppServerClient[] = [];
beforeEach(async () => {
  fixture = await createFixture();
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await Promise.all(servers.splice(0).map((server) => stop(server, "SIGKILL")));
  await fixture[Symbol.asyncDispose]();
});

/** Starts a server of its own and waits until `ready` finds it so. */
async function serve(
  args: string[],
  ready: (stderr: string) => boolean,
): Promise<{ server: ChildProcess; stderr: string }> {
  const { file, env, cwd } = fixture.command();
  const server = spawn(file, ["app-server", ...args], {
    env: env as NodeJS.ProcessEnv,
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
  });
  servers.push(server);
  let stderr = "";
  server.stderr!.on("data", (chunk) => {
    stderr += chunk;
  });
  await until(() => ready(stderr) || server.exitCode !== null);
  return { server, stderr };
}

async function stop(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill(signal);
  await ended;
}

const connect = (url: string, options: Partial<RemoteClientOptions> = {}) => {
  const introduction = { clientInfo: { name: "codex_js_test", title: null, version: "1" } };
  const client = AppServerClient.overWebSocket({ url, introduction, ...options });
  clients.push(client);
  return client;
};

test.skipIf(process.platform === "win32")("a turn over a unix socket survives its client", async () => {
  const socket = join(fixture.dir, "app.sock");
  const { server } = await serve(["--listen", `unix://${socket}`], () => existsSync(socket));
  const first = connect(`unix://${socket}`);
  const threadId = await startThread(first, fixture.workDir);
  expect(await (await first.startTurn({ threadId, input: text("one") })).completed).toMatchObject({
    status: "completed",
  });
  const turn = await first.startTurn({ threadId, input: text("hang") });
  await first.close();
  await expect(turn.completed).rejects.toMatchObject({ code: "CODEX_JS_SDK_CONNECTION_CLOSED" });

  const second = connect(`unix://${socket}`);
  const completed = new Promise((resolve) => second.onNotification("turn/completed", resolve));
  await second.request("thread/resume", { threadId });
  await second.request("turn/interrupt", { threadId, turnId: turn.id });
  expect(await completed).toMatchObject({ params: { turn: { id: turn.id, status: "interrupted" } } });

  const hanging = await second.startTurn({ threadId, input: text("hang") });
  await stop(server, "SIGKILL");
  await expect(hanging.completed).rejects.toMatchObject({ code: "CODEX_JS_SDK_CONNECTION_CLOSED" });
  expect(second.state).toBe("crashed");
  await expect(second.start()).rejects.toMatchObject({ code: "CODEX_JS_SDK_ENGINE_NOT_STARTED" });
});

test("ws:// with a capability token; without it the server's refusal is told", async () => {
  const token = "0123456789abcdef0123456789abcdef";
  const sha256 = createHash("sha256").update(token).digest("hex");
  const pattern = /ws:\/\/127\.0\.0\.1:(\d+)/;
  const { stderr } = await serve(
    ["--listen", "ws://127.0.0.1:0", "--ws-auth", "capability-token", "--ws-token-sha256", sha256],
    (output) => pattern.test(output),
  );
  const url = pattern.exec(stderr)![0];
  expect((await connect(url, { token }).request("thread/list", {})).data).toEqual([]);
  await expect(connect(url).start()).rejects.toMatchObject({
    code: "CODEX_JS_SDK_ENGINE_NOT_STARTED",
    message: `cannot join the app-server at ${url}: it answered HTTP 401 instead of agreeing to a WebSocket`,
  });
});

test("addresses where no app-server is", async () => {
  await writeFile(join(fixture.dir, "stale.sock"), "");
  const web = createServer((_, response) => response.end("hello"));
  web.on("upgrade", (_, socket) =>
    socket.end("HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"),
  );
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  const { port } = web.address() as AddressInfo;
  const cases = [
    [`unix://${join(fixture.dir, "stale.sock")}`, /E(CONNREFUSED|NOTSOCK|ACCES)|connect/i],
    [`ws://127.0.0.1:${port}`, /wrong sec-websocket-accept/],
    ["http://127.0.0.1:1", /is no address of an app-server/],
    ["nonsense", /is no address of an app-server/],
  ] as const;
  for (const [url, message] of cases) {
    await expect(connect(url).start()).rejects.toMatchObject({
      code: "CODEX_JS_SDK_ENGINE_NOT_STARTED",
      message: expect.stringMatching(message),
    });
  }
  await new Promise((resolve) => web.close(resolve));
});
