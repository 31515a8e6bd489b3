import { inspect } from "node:util";
import { expect, test } from "vitest";
import { Codex, CodexClient } from "../../src/index.ts";
import { until } from "../app-server/engine-fixture.ts";
import { createSharedFixture } from "../app-server/shared/shared-fixture.ts";
import { createClientFixture } from "./client-fixture.ts";
import { startServer } from "./running-server.ts";

const posix = { skip: process.platform === "win32" };

test("Codex.shared(): two programs' clients, one server, the public client as well", posix, async () => {
  await using shared = await createSharedFixture();
  const { file, env } = shared.base.command();
  const options = {
    codexPathOverride: file,
    env: env as Record<string, string>,
    stateDir: shared.options.stateDir,
  };
  const threadOptions = { workingDirectory: shared.base.workDir, skipGitRepoCheck: true };
  await using codex = Codex.shared(options);
  const thread = codex.startThread(threadOptions);
  expect((await thread.run("one")).finalResponse).toBe("echo: one");
  const { pid } = (await shared.record())!;
  await using other = Codex.shared(options);
  expect((await other.startThread(threadOptions).run("two")).finalResponse).toBe("echo: two");
  await using client = CodexClient.shared(options);
  expect((await client.request("thread/loaded/list", {})).data).toContain(thread.id);
  expect((await shared.record())!.pid).toBe(pid);
});

test("an API key has no place in a shared server", async () => {
  const options = { apiKey: "sk-secret" } as object;
  for (const start of [() => Codex.shared(options), () => CodexClient.shared(options)]) {
    expect(start).toThrow(
      expect.objectContaining({ code: "CODEX_JS_SDK_CONFIG_INVALID", hint: expect.any(String) }),
    );
  }
});

test("Codex.connect(): a server on a socket; one that is too old", posix, async () => {
  await using fixture = await createClientFixture();
  await using server = await startServer(fixture);
  await using codex = Codex.connect(server.url);
  const threadOptions = { workingDirectory: fixture.workDir, skipGitRepoCheck: true };
  const thread = codex.startThread(threadOptions);
  expect((await thread.run("one")).finalResponse).toBe("echo: one");
  await codex.close();
  await using next = Codex.connect(server.url, { minEngineVersion: "0.100.0" });
  expect((await next.resumeThread(thread.id!, threadOptions).run("two")).finalResponse).toBe("echo: two");
  await using late = Codex.connect(server.url, { minEngineVersion: "99.0.0" });
  await expect(late.startThread(threadOptions).run("three")).rejects.toMatchObject({
    code: "CODEX_JS_SDK_ENGINE_TOO_OLD",
  });
});

const token = "canary-0123456789abcdef0123456789abcdef";

test("Codex.connect(): turns over ws://, another client goes on, a server that is killed", async () => {
  await using fixture = await createClientFixture();
  await using server = await startServer(fixture, token);
  const threadOptions = { workingDirectory: fixture.workDir, skipGitRepoCheck: true };
  await using codex = Codex.connect(server.url, { token });
  const thread = codex.startThread(threadOptions);
  const types: string[] = [];
  for await (const event of (await thread.runStreamed("one")).events) types.push(event.type);
  expect(types).toEqual(["thread.started", "turn.started", "item.completed", "turn.completed"]);
  const { finalResponse, usage, turnUsage } = await thread.run("two");
  expect([finalResponse, usage?.input_tokens, turnUsage?.input_tokens]).toEqual(["echo: two", 22, 11]);

  const abort = new AbortController();
  const { events } = await thread.runStreamed("hang", { signal: abort.signal });
  await expect(
    (async () => {
      for await (const event of events) if (event.type === "turn.started") abort.abort(new Error("enough"));
    })(),
  ).rejects.toMatchObject({ name: "AbortError", cause: new Error("enough") });

  await using other = Codex.connect(server.url, { token });
  expect((await other.resumeThread(thread.id!, threadOptions).run("three")).finalResponse).toBe(
    "echo: three",
  );
  const hanging = thread.run("hang");
  const failed = expect(hanging).rejects.toMatchObject({ code: "CODEX_JS_SDK_CONNECTION_CLOSED" });
  const asked = fixture.model.requests.length;
  await until(() => fixture.model.requests.length > asked);
  await server.kill();
  await failed;
  await expect(thread.run("four")).rejects.toMatchObject({
    code: "CODEX_JS_SDK_ENGINE_NOT_STARTED",
    hint: "nobody listens there: start `codex app-server --listen URL`",
  });
});

test.each([
  ["a wrong", { token: "canary-wrong" }, "the token is wrong or no longer valid"],
  ["no", {}, "the token is missing"],
])("Codex.connect(): %s token is refused in clear words", async (_which, options, hint) => {
  await using fixture = await createClientFixture();
  await using server = await startServer(fixture, token);
  await using codex = Codex.connect(server.url, options);
  const thread = codex.startThread({ workingDirectory: fixture.workDir, skipGitRepoCheck: true });
  const error = await thread.run("one").catch((cause) => cause);
  expect(error).toMatchObject({
    code: "CODEX_JS_SDK_ENGINE_NOT_STARTED",
    message: `cannot join the app-server at ${server.url}: it answered HTTP 401 instead of agreeing to a WebSocket`,
    hint: `${hint}: pass the one that the server was started with`,
  });
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain("canary");
});
