import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Codex, CodexClient } from "../../src/index.ts";
import { until } from "../app-server/engine-fixture.ts";
import { createSharedFixture } from "../app-server/shared/shared-fixture.ts";
import { createClientFixture } from "./client-fixture.ts";

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
  const socket = join(fixture.homeDir, "s.sock");
  const { codexPathOverride, env } = fixture.options;
  const server: ChildProcess = spawn(codexPathOverride, ["app-server", "--listen", `unix://${socket}`], {
    env,
    stdio: "ignore",
  });
  try {
    await until(() => existsSync(socket) || server.exitCode !== null);
    await using codex = Codex.connect(`unix://${socket}`);
    const threadOptions = { workingDirectory: fixture.workDir, skipGitRepoCheck: true };
    const thread = codex.startThread(threadOptions);
    expect((await thread.run("one")).finalResponse).toBe("echo: one");
    await codex.close();
    await using next = Codex.connect(`unix://${socket}`, { minEngineVersion: "0.100.0" });
    expect((await next.resumeThread(thread.id!, threadOptions).run("two")).finalResponse).toBe("echo: two");
    await using late = Codex.connect(`unix://${socket}`, { minEngineVersion: "99.0.0" });
    await expect(late.startThread(threadOptions).run("three")).rejects.toMatchObject({
      code: "CODEX_JS_SDK_ENGINE_TOO_OLD",
    });
  } finally {
    server.kill("SIGKILL");
  }
});
