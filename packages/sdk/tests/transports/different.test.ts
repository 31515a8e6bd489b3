import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSessionReader, type Outcome, runScenario, type Scenario } from "./both-transports.ts";

// What remains different by nature; README's table has the reasons. Each is held on both sides, so that
// a new engine that does otherwise is noticed.

async function onBoth(scenario: Scenario): Promise<Record<"exec" | "appServer", Outcome>> {
  return { exec: await runScenario("exec", scenario), appServer: await runScenario("app-server", scenario) };
}

const runOnce: Scenario["program"] = ({ run, startThread }) => run(startThread());
const readError = ({ seen }: Outcome) =>
  (seen[0] as { result: { message: string; exitCode: number } }).result;

test.each([
  ["a raw override without a value", { configOverrides: ["nonsense"] }, "missing '='"],
  ["a setting with a wrong value", { config: { sandbox_mode: "foo" } }, "unknown variant `foo`"],
  [
    "a model provider that is not there",
    { config: { model_provider: "nope" } },
    "Model provider `nope` not found",
  ],
])("%s: the same error and exit code, in the words of another program", async (_name, codex, reason) => {
  const { exec, appServer } = await onBoth({ codex, program: runOnce });
  for (const outcome of [exec, appServer]) {
    expect(readError(outcome)).toMatchObject({
      name: "CodexExitError",
      code: "CODEX_JS_SDK_ENGINE_EXITED",
      exitCode: 1,
      message: expect.stringMatching(/^Codex Exec exited with code 1: .*/),
    });
    expect(readError(outcome).message).toContain(reason);
  }
});

test("a value that only the command line knows to refuse: exit code 2 of exec, 1 otherwise", async () => {
  const { exec, appServer } = await onBoth({ thread: { sandboxMode: "foo" as never }, program: runOnce });
  expect(readError(exec).exitCode).toBe(2);
  expect(readError(appServer).exitCode).toBe(1);
});

test("what turns leave in the engine's records: exec's source, the app-server's", async () => {
  const { exec, appServer } = await onBoth({
    program: async ({ homeDir, run, startThread, note }) => {
      const thread = startThread();
      await run(thread);
      const { source, originator, thread_source } = await createSessionReader(homeDir)(thread.id!);
      note({ source, originator, thread_source });
    },
  });
  const common = { originator: "codex_sdk_ts", thread_source: "user" };
  expect(exec.seen[1]).toEqual({ source: "exec", ...common });
  expect(appServer.seen[1]).toEqual({ source: "vscode", ...common });
});

test("the user agent ends in the name of the program that runs the engine", async () => {
  const { exec, appServer } = await onBoth({});
  const version = JSON.parse(await readFile(join(import.meta.dirname, "../../package.json"), "utf8")).version;
  expect(exec.requests[0]!.headers["user-agent"]).toMatch(/^codex_sdk_ts\/.* \(codex_exec; [\d.]+\)$/);
  expect(appServer.requests[0]!.headers["user-agent"]).toMatch(/^codex_sdk_ts\/.* \(codex_sdk_ts; .*\)$/);
  expect(appServer.requests[0]!.headers["user-agent"]).toContain(`; ${version})`);
});

test("the turn's own usage: not in what exec says", async () => {
  const { exec, appServer } = await onBoth({ program: runOnce });
  expect(exec.seen[0]).not.toHaveProperty("result.turnUsage");
  expect(appServer.seen[0]).toHaveProperty("result.turnUsage.input_tokens", 11);
});

// openai/codex#37947: two processes wrote to one thread.
test("another process cannot write to a thread that an engine keeps: not before close()", async () => {
  const { exec, appServer } = await onBoth({
    program: async ({ codex, run, runElsewhere, startThread }) => {
      const thread = startThread();
      await run(thread, "one");
      await runElsewhere(thread.id!);
      await codex.close();
      await runElsewhere(thread.id!);
    },
  });
  expect(exec.seen.slice(1, 3)).toEqual([0, 0]);
  expect(appServer.seen.slice(1, 3)).toEqual([1, 0]);
});
