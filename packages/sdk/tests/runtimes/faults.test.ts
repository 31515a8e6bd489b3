import { join } from "node:path";
import {
  createFakeEngine,
  createTurnSteps,
  type FakeEngine,
  type FakeEngineStep,
  step,
} from "@codex-js/testkit/fake-engine";
import { waitUntilGone } from "@codex-js/testkit/process-state";
import { describe, expect, test } from "vitest";
import type { DriveTurn } from "./drive.ts";
import { driveSdk, runtimeNames } from "./runtimes.ts";

const started = step.event({ type: "thread.started", thread_id: "t1" });
const stubborn = step.ignoreSignals("SIGINT", "SIGTERM");
const completed = createTurnSteps("done");
const aborted = {
  name: "AbortError",
  code: "ABORT_ERR",
  message: "The operation was aborted",
  cause: "Error: enough",
};

// The fake engine is a script, which Windows starts only through a shell.
describe.skipIf(process.platform === "win32").each(runtimeNames)("faults of others, on %s", (runtime) => {
  const drive = (engine: FakeEngine, ...turns: DriveTurn[]) =>
    driveSdk(runtime, { transport: "exec", codexPathOverride: engine.executablePath, turns });

  async function driveOne(exec: FakeEngineStep[], turn: DriveTurn) {
    await using engine = await createFakeEngine({ exec });
    const [result] = await drive(engine, turn);
    return { ...result!, calls: await engine.calls() };
  }

  // openai/codex#33617, #45727: readline cut a JSON line at U+2028.
  test("a line separator inside JSON is text", async () => {
    const text = "a\u2028b\u2029c\u0085d";
    const event = { type: "item.completed", item: { id: "item_0", type: "agent_message", text } };
    const { result } = await driveOne([step.readStdin(), step.event(event)], { how: "run", input: "x" });
    expect(result).toEqual({ items: [event.item], finalResponse: text, usage: null });
  });

  // openai/codex-action#153: EPIPE on the child's stdin ended the parent.
  test("an engine that does not read a large prompt is an error and not a crash", async () => {
    const input = { repeat: "0123456789", times: 400_000 };
    const { error } = await driveOne([step.closeStdin(), step.stderr("cannot read\n"), step.exit(0)], {
      how: "run",
      input,
    });
    expect(error).toMatchObject({
      code: "CODEX_JS_SDK_PROMPT_NOT_READ",
      message:
        "the engine closed its stdin before it had read the whole prompt (4000000 bytes): cannot read\n",
      cause: expect.stringMatching(/EPIPE|ECONNRESET/),
    });
    const failed = await driveOne([step.closeStdin(), step.stderr("bad config\n"), step.exit(2)], {
      how: "run",
      input,
    });
    expect(failed.error).toMatchObject({
      code: "CODEX_JS_SDK_ENGINE_EXITED",
      message: "Codex Exec exited with code 2: bad config\n",
    });
  });

  // openai/codex#7622: exec lingered after turn.completed, and the SDK with it.
  test("a turn is over with its terminal event, not with its process", async () => {
    await using engine = await createFakeEngine({
      exec: [...completed, step.waitForTrigger("turn came back"), step.mark("went on")],
    });
    const thenWrite = join(engine.executablePath, "..", "triggers", "turn came back");
    const [result] = await drive(engine, { how: "run", input: "x", thenWrite });
    expect(result).toMatchObject({ result: { finalResponse: "done" } });
    await engine.waitForMark("went on");
  });

  test("an engine that lingers for ever is ended, before its thread gets another one", async () => {
    await using engine = await createFakeEngine({
      execByCall: [[...createTurnSteps("one"), step.linger()], createTurnSteps("two")],
    });
    const results = await drive(engine, { how: "run", input: "1" }, { again: true, how: "run", input: "2" });
    expect(results).toMatchObject([
      { result: { finalResponse: "one" } },
      { result: { finalResponse: "two" } },
    ]);
    const calls = await engine.calls();
    expect(calls.map(({ argv }) => argv.slice(-2))).toEqual([
      ["danger-full-access", "--skip-git-repo-check"],
      ["resume", "thread_fake"],
    ]);
    for (const { pid } of calls) await waitUntilGone(pid);
  });

  test("a turn that waits for a lingering engine can be aborted", async () => {
    await using engine = await createFakeEngine({ exec: [...completed, step.waitForTrigger("over")] });
    const home = join(engine.executablePath, "..");
    const [, second] = await drive(
      engine,
      { how: "run", input: "1" },
      {
        again: true,
        how: "run",
        input: "2",
        abort: { onFile: join(home, "script.json") },
        thenWrite: join(home, "triggers", "over"),
      },
    );
    expect(second!.error).toEqual(aborted);
    expect(await engine.calls()).toHaveLength(1);
  });

  // openai/codex#21994: the tools of an aborted turn lived on.
  test("abort ends the engine and what it has started, however stubborn", async () => {
    await using engine = await createFakeEngine({
      exec: [step.readStdin(), stubborn, step.spawnStubbornChild("tool"), started, step.linger()],
    });
    const [result] = await drive(engine, {
      how: "stream",
      input: "x",
      abort: { onEvent: "thread.started" },
    });
    expect(result).toEqual({
      threadId: "t1",
      result: [{ type: "thread.started", thread_id: "t1" }],
      error: aborted,
    });
    await waitUntilGone((await engine.childPid("tool"))!);
    await waitUntilGone((await engine.calls())[0]!.pid);
  });

  test("a tool that outlives an obedient engine is ended too", async () => {
    await using engine = await createFakeEngine({
      exec: [step.readStdin(), step.spawnStubbornChild("tool"), started, step.linger()],
    });
    const [result] = await drive(engine, {
      how: "run",
      input: "x",
      abort: { onFile: childFile(engine, "tool") },
    });
    expect(result!.error).toEqual(aborted);
    await waitUntilGone((await engine.childPid("tool"))!);
  });

  test("leaving the loop ends the engine", async () => {
    await using engine = await createFakeEngine({
      exec: [step.readStdin(), step.spawnStubbornChild("tool"), started, step.linger()],
    });
    const [result] = await drive(engine, { how: "stream", input: "x", breakOnEvent: "thread.started" });
    expect(result!.error).toBeUndefined();
    await waitUntilGone((await engine.calls())[0]!.pid);
    await waitUntilGone((await engine.childPid("tool"))!);
  });

  test("process.exit() in the middle of a turn ends the engine", async () => {
    await using engine = await createFakeEngine({
      exec: [step.readStdin(), step.spawnStubbornChild("ready"), started, step.linger()],
    });
    await drive(engine, { how: "run", input: "x", exitOnFile: childFile(engine, "ready") });
    await waitUntilGone((await engine.calls())[0]!.pid);
  });

  test("a signal that is aborted before the turn starts nothing", async () => {
    const { error, calls } = await driveOne(completed, { how: "run", input: "x", abort: "before" });
    expect({ error, calls }).toEqual({ error: aborted, calls: [] });
  });

  test("an engine that dies while a tool holds its stdout is an error and not silence", async () => {
    const { error } = await driveOne(
      [
        step.readStdin(),
        step.spawnStubbornChild("tool", { inheritStdio: true }),
        step.stderr("ouch"),
        step.killSelf("SIGKILL"),
      ],
      { how: "run", input: "x" },
    );
    expect(error).toMatchObject({
      code: "CODEX_JS_SDK_ENGINE_EXITED",
      message: "Codex Exec exited with signal SIGKILL: ouch",
    });
  });

  test("half a line of a crashed engine does not hide the crash", async () => {
    const { error } = await driveOne([step.readStdin(), step.stdout('{"type":"item.comp'), step.exit(101)], {
      how: "run",
      input: "x",
    });
    expect(error).toMatchObject({ code: "CODEX_JS_SDK_ENGINE_EXITED" });
  });

  test("stderr is kept to its end", async () => {
    const { error } = await driveOne(
      [step.readStdin(), step.stderr("x".repeat(1_000_000)), step.stderr("the reason"), step.exit(3)],
      { how: "run", input: "x" },
    );
    expect(error!.message).toMatch(/^Codex Exec exited with code 3: … \(\d+ bytes left out\)\nx+the reason$/);
    expect(error!.message.length).toBeLessThan(66_000);
  });

  test("the key that the engine was given does not get into a message", async () => {
    const { error } = await driveOne([step.readStdin(), step.stderr("bad key sk-secret\n"), step.exit(1)], {
      how: "run",
      input: "x",
    });
    expect(error!.message).toBe("Codex Exec exited with code 1: bad key ***\n");
  });

  test("an image that the engine would silently drop is refused", async () => {
    const { error, calls } = await driveOne(completed, {
      how: "run",
      input: [{ type: "local_image", path: "a,b.png" }],
    });
    expect({ error, calls }).toEqual({
      error: {
        name: "CodexError",
        code: "CODEX_JS_SDK_INPUT_INVALID",
        message: "the engine cannot take an image with a comma in its path: a,b.png",
        hint: "copy the image to a path without a comma",
      },
      calls: [],
    });
  });
});

/** The file that the fake engine writes once its stubborn child is up. */
function childFile(engine: FakeEngine, name: string): string {
  return join(engine.executablePath, "..", "pids", name);
}
