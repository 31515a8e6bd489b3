import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isProcessAlive, runProcess, withTempDir } from "@codex-js/cli-kit";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFakeEngine, createTurnSteps, type FakeEngineScript, step } from "./index.ts";

const env = { PATH: process.env.PATH };

async function createForTest(script: FakeEngineScript) {
  const engine = await createFakeEngine(script);
  onTestFinished(() => engine.remove());
  return engine;
}

async function runEngine(script: FakeEngineScript, args: string[] = [], input = "") {
  const engine = await createForTest(script);
  const options = { cwd: process.cwd(), env, input, okExitCodes: "any" } as const;
  return { engine, result: await runProcess(engine.executablePath, args, options) };
}

describe.skipIf(process.platform === "win32")("exec mode", () => {
  test("records how it was called, with the environment exactly as given", async () => {
    await withTempDir("codex-js-cwd", async (cwd) => {
      const engine = await createForTest({ exec: createTurnSteps("hi") });
      const result = await runProcess(engine.executablePath, ["exec", "--image", "a b"], {
        cwd,
        env: { ONLY: "this" },
        input: "prompt ünd mehr",
      });
      expect(
        result.stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line).type),
      ).toEqual(["thread.started", "turn.started", "item.completed", "turn.completed"]);
      expect(await engine.calls()).toEqual([
        {
          argv: ["exec", "--image", "a b"],
          env: { ONLY: "this" },
          cwd,
          pid: expect.any(Number),
          stdin: "prompt ünd mehr",
          signals: [],
        },
      ]);
    });
  });

  test("each call has its own steps, the last serving all further ones", async () => {
    const engine = await createForTest({ execByCall: [[step.exit(5)], [step.stdout("ok")]] });
    const run = () => runProcess(engine.executablePath, [], { cwd: process.cwd(), env, okExitCodes: "any" });
    const results = [await run(), await run(), await run()];
    expect(results.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual([
      [5, ""],
      [0, "ok"],
      [0, "ok"],
    ]);
    expect(await engine.calls()).toHaveLength(3);
  });

  test("writes any bytes in pieces of their own, and stderr", async () => {
    const steps = [
      step.stdout("a\u2028", Uint8Array.of(0xf0, 0x9f), Uint8Array.of(0x99, 0x82, 10)),
      step.stderr("oops"),
    ];
    const { result } = await runEngine({ exec: [...steps, step.exit(3)] });
    expect(result).toMatchObject({ stdout: "a\u2028🙂\n", stderr: "oops", exitCode: 3 });
  });

  test("a prompt of any size is read to its end", async () => {
    const input = "x".repeat(3_000_000);
    const { engine } = await runEngine({ exec: [step.readStdin()] }, [], input);
    expect((await engine.calls())[0]?.stdin.length).toBe(input.length);
  });

  test("closing stdin unread gives the writer EPIPE while the engine lives", async () => {
    const engine = await createForTest({
      exec: [step.closeStdin(), step.mark("closed"), step.waitForTrigger("end"), step.stdout("bye")],
    });
    const child = spawn(engine.executablePath, { env });
    const output = collect(child.stdout);
    await engine.waitForMark("closed");
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => {
      child.stdin.on("error", resolve);
      child.stdin.write("x".repeat(1_000_000));
    });
    await engine.trigger("end");
    expect([error.code, await output]).toEqual(["EPIPE", "bye"]);
  });

  test("closing stdout ends the stream while the engine lives", async () => {
    const engine = await createForTest({ exec: [step.stdout("last"), step.closeStdout(), step.linger()] });
    const child = spawn(engine.executablePath, { env });
    onTestFinished(() => void child.kill("SIGKILL"));
    expect(await collect(child.stdout)).toBe("last");
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  });

  test("waits for files and triggers", async () => {
    await withTempDir("codex-js-wait", async (dir) => {
      const file = join(dir, "go");
      const engine = await createForTest({
        exec: [step.waitForTrigger("first"), step.mark("between"), step.waitForFile(file), step.exit(4)],
      });
      const running = runProcess(engine.executablePath, [], { cwd: dir, env, okExitCodes: [4] });
      await engine.trigger("first");
      await engine.waitForMark("between");
      await runProcess(process.execPath, ["-e", `fs.writeFileSync(${JSON.stringify(file)}, "")`], {
        cwd: dir,
        env,
      });
      expect((await running).exitCode).toBe(4);
    });
  });

  test.each(["SIGKILL", "SIGTERM", "SIGSEGV"] as const)("dies by %s", async (signal) => {
    const { result } = await runEngine({
      exec: [step.ignoreSignals("SIGTERM"), step.stdout("before"), step.killSelf(signal)],
    });
    expect(result).toMatchObject({ exitCode: null, signal, stdout: "before" });
  });

  test("lingers after its last event until a signal ends it, or ignores that one", async () => {
    const engine = await createForTest({
      exec: [step.ignoreSignals("SIGINT"), ...createTurnSteps("x"), step.mark("up"), step.linger()],
    });
    const child = spawn(engine.executablePath, { env, stdio: ["ignore", "ignore", "inherit"] });
    const ended = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
    await engine.waitForMark("up");
    child.kill("SIGINT");
    while ((await engine.calls())[0]?.signals.length === 0) await sleep(5);
    child.kill("SIGTERM");
    expect([await ended, (await engine.calls())[0]?.signals]).toEqual(["SIGTERM", ["SIGINT"]]);
  });

  test("leaves a child behind that ignores TERM; remove kills it", async () => {
    const engine = await createForTest({ exec: [step.spawnStubbornChild("mcp")] });
    expect(await engine.childPid("mcp")).toBeUndefined();
    await runProcess(engine.executablePath, [], { cwd: process.cwd(), env });
    const pid = (await engine.childPid("mcp"))!;
    process.kill(pid, "SIGTERM");
    expect(isProcessAlive(pid)).toBe(true);
    await engine.remove();
    while (isProcessAlive(pid)) await sleep(5);
    expect(existsSync(engine.executablePath)).toBe(false);
  });
});

describe.skipIf(process.platform === "win32")("app-server mode", () => {
  async function talk(rules: FakeEngineScript["appServer"], messages: object[]) {
    const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
    const { engine, result } = await runEngine({ appServer: rules ?? [] }, ["app-server"], input);
    const replies = () => {
      const lines = result.stdout.split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line));
    };
    return { engine, result, replies };
  }

  test("answers, notifies and fills in values of the request", async () => {
    const { replies, engine } = await talk(
      [
        {
          on: { method: "turn/start" },
          do: [
            step.respond({ turn: { id: "t1", threadId: { $from: "params.threadId" } } }),
            step.notify("turn/completed", {
              list: [{ $from: "params.threadId" }, { $from: "params.none.x" }],
            }),
          ],
        },
      ],
      [
        { id: 1, method: "initialize", params: {} },
        { method: "initialized" },
        { id: 2, method: "turn/start", params: { threadId: "th" } },
      ],
    );
    expect(replies()).toEqual([
      { id: 1, result: { userAgent: "codex_fake/0.0.0" } },
      { id: 2, result: { turn: { id: "t1", threadId: "th" } } },
      { method: "turn/completed", params: { list: ["th", null] } },
    ]);
    expect((await engine.calls())[0]?.stdin.trimEnd().split("\n")).toHaveLength(3);
  });

  test("rules run out, ignore, and what has none is an error", async () => {
    const { replies } = await talk(
      [
        { on: { method: "a" }, times: 1, do: [step.respondError({ code: -32001, message: "overloaded" })] },
        { on: { method: "a" }, do: [step.respond({})] },
        { on: { method: "silent" }, do: [] },
      ],
      [
        { id: 1, method: "a" },
        { id: 2, method: "a" },
        { id: 3, method: "silent" },
        { id: 4, method: "b" },
      ],
    );
    expect(replies()).toEqual([
      { id: 1, error: { code: -32001, message: "overloaded" } },
      { id: 2, result: {} },
      { id: 4, error: { code: -32600, message: "no rule for b" } },
    ]);
  });

  test("asks the client and goes on with its answer", async () => {
    const { replies } = await talk(
      [
        { on: { event: "start" }, do: [step.request("q1", "item/tool/call", { name: "x" })] },
        { on: { answerTo: "q1" }, do: [step.notify("got", { $from: "result.text" })] },
        { on: { event: "end" }, do: [step.notify("ended", {})] },
      ],
      [{ id: "q1", result: { text: "yes" } }],
    );
    expect(replies()).toEqual([
      { id: "q1", method: "item/tool/call", params: { name: "x" } },
      { method: "got", params: "yes" },
      { method: "ended", params: {} },
    ]);
  });

  test("crashes on a method, with garbage on stdout first", async () => {
    const { result } = await talk(
      [{ on: { method: "turn/start" }, do: [step.stdout("not json\n"), step.exit(42)] }],
      [{ id: 1, method: "turn/start" }],
    );
    expect(result).toMatchObject({ stdout: "not json\n", exitCode: 42 });
  });

  test("a rule that waits does not hold up the next request", async () => {
    const engine = await createForTest({
      appServer: [
        { on: { method: "slow" }, do: [step.waitForTrigger("go"), step.respond("slow"), step.mark("both")] },
        { on: { method: "fast" }, do: [step.respond("fast"), step.mark("answered")] },
      ],
    });
    const child = spawn(engine.executablePath, ["app-server"], { env });
    const output = collect(child.stdout);
    child.stdin.write(`${JSON.stringify({ id: 1, method: "slow" })}\n{"id":2,"met`);
    child.stdin.write('hod":"fast"}\n');
    await engine.waitForMark("answered");
    await engine.trigger("go");
    await engine.waitForMark("both");
    child.stdin.end();
    expect(
      (await output)
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).result),
    ).toEqual(["fast", "slow"]);
  });
});

async function collect(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}
