import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeEngine, step } from "@codex-js/testkit/fake-engine";
import { waitUntilGone } from "@codex-js/testkit/process-state";
import { describe, expect, test } from "vitest";
import { Codex } from "../../src/index.ts";
import { createFixture, startThread, text, until } from "../app-server/engine-fixture.ts";

const anywhere = { skipGitRepoCheck: true };

// Signals, and scripts as engines, are POSIX's.
describe.skipIf(process.platform === "win32")("turns that are ended", () => {
  test("an abort does not wait for an engine that does not get ready", async () => {
    const dir = await mkdtemp(join(tmpdir(), "codex-js-silent-"));
    try {
      const silent = join(dir, "silent");
      await writeFile(silent, "#!/bin/sh\nexec sleep 600\n");
      await chmod(silent, 0o755);
      await using codex = new Codex({ codexPathOverride: silent });
      const abort = new AbortController();
      const turn = codex.startThread(anywhere).run("hello", { signal: abort.signal });
      setImmediate(() => abort.abort());
      await expect(turn).rejects.toMatchObject({ name: "AbortError" });
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  test.each(["interruption", "deadline"] as const)(
    "a frozen engine: after the %s that it lets pass it counts as crashed, and another one goes on",
    async (what) => {
      await using fixture = await createFixture();
      const client = fixture.createClient({ interruptTimeoutMs: 50, pulseTimeoutMs: 50 });
      const threadId = await startThread(client, fixture.workDir);
      await (await client.startTurn({ threadId, input: text("one") })).completed;
      const abort = new AbortController();
      const turn = await client.startTurn({ threadId, input: text("hang") }, { signal: abort.signal });
      const first = await findEngine(fixture.recordDir);
      process.kill(first, "SIGSTOP");
      if (what === "interruption") {
        abort.abort();
        await expect(turn.completed).rejects.toMatchObject({ name: "AbortError" });
      } else {
        const late = client.request("thread/list", {}, { timeoutMs: 50 });
        await expect(late).rejects.toMatchObject({ code: "CODEX_JS_SDK_REQUEST_TIMED_OUT" });
        await expect(turn.completed).rejects.toMatchObject({
          code: "CODEX_JS_SDK_ENGINE_CRASHED",
          signal: "SIGKILL",
          stderr: "the engine answered nothing for 50 ms",
        });
      }
      await until(() => client.state === "crashed");
      await waitUntilGone(first);
      const next = await client.startTurn({ threadId, input: text("go on") });
      expect((await next.result()).finalResponse).toBe("echo: go on");
    },
  );

  test.each(["exec", "app-server"] as const)("close() in mid-turn says so: %s", async (transport) => {
    const turn = { id: "u1", status: "inProgress", items: [], error: null };
    const interrupted = { threadId: "t1", turn: { ...turn, status: "interrupted" } };
    await using engine = await createFakeEngine({
      exec: [
        step.readStdin(),
        step.event({ type: "thread.started", thread_id: "t1" }),
        step.mark("on"),
        step.linger(),
      ],
      appServer: [
        { on: { method: "config/read" }, do: [step.respond({ config: {} })] },
        { on: { method: "thread/start" }, do: [step.respond({ thread: { id: "t1" } })] },
        {
          on: { method: "turn/start" },
          do: [
            step.respond({ turn }),
            step.notify("turn/started", { threadId: "t1", turn }),
            step.mark("on"),
          ],
        },
        {
          on: { method: "turn/interrupt" },
          do: [step.respond({}), step.notify("turn/completed", interrupted)],
        },
      ],
    });
    const codex = new Codex({ codexPathOverride: engine.executablePath, transport });
    const thread = codex.startThread(anywhere);
    const closed = { code: "CODEX_JS_SDK_CONNECTION_CLOSED", message: "this client was closed" };
    const turns = [thread.run("hello"), thread.run("waits")].map((run) =>
      expect(run).rejects.toMatchObject(closed),
    );
    await engine.waitForMark("on");
    await codex.close();
    await Promise.all(turns);
    const calls = await engine.calls();
    expect(calls).toHaveLength(1);
    await waitUntilGone(calls[0]!.pid);
    await expect(thread.run("later")).rejects.toMatchObject(closed);
  });
});

/** The pid of the one engine that is running. */
async function findEngine(recordDir: string): Promise<number> {
  const [record = ""] = await readdir(recordDir);
  return JSON.parse(await readFile(join(recordDir, record), "utf8")).engine.pid;
}
