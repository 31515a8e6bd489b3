import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTurnSteps, step } from "@codex-js/testkit/fake-engine";
import { afterAll, describe, expect, test } from "vitest";
import { type ContractCase, runCase, sdks, streamCase } from "./both-sdks.ts";

// The official SDK does not look at them, ours does.
const imageDir = mkdtempSync(join(tmpdir(), "codex-js-images-"));
const images = ["a.png", "b c.png"].map((name) => join(imageDir, name));
for (const image of images) writeFileSync(image, "");
afterAll(() => rmSync(imageDir, { recursive: true }));

// The fake engine is a script, which Windows starts only through a shell.
const posix = { skip: process.platform === "win32" };

const turn = createTurnSteps("done");
const started = step.event({ type: "thread.started", thread_id: "t1" });
const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_output_tokens: 0 };

// Turns that end well: command line, environment, stdin, events and thread id have to be the same.
const turns: Record<string, ContractCase> = {
  "no options": { engine: turn },
  "every option": {
    codex: {
      apiKey: "sk-test",
      baseUrl: 'http://127.0.0.1:1/v1?a="b"',
      config: {
        show_raw_agent_reasoning: true,
        sandbox_workspace_write: { network_access: true, writable_roots: ["/a", "/b"] },
        deep: { er: { number: 1.5, text: 'quo"te\n', empty: {}, list: [{ "odd key": 1, plain: [true] }] } },
      },
      configOverrides: ['permissions.audit={":root"="read"}', "model=other"],
    },
    thread: {
      model: "m",
      threadSource: "ci",
      sandboxMode: "workspace-write",
      workingDirectory: "/somewhere",
      skipGitRepoCheck: true,
      modelReasoningEffort: "high",
      networkAccessEnabled: false,
      webSearchMode: "cached",
      webSearchEnabled: true,
      approvalPolicy: "on-request",
      additionalDirectories: ["/one", "/two"],
    },
    turn: { outputSchema: { type: "object" }, cyberAccessProgram: "standard" },
    input: [
      { type: "local_image", path: images[0]! },
      { type: "text", text: "first" },
      { type: "local_image", path: images[1]! },
      { type: "text", text: "second" },
    ],
    engine: turn,
  },
  "options that are empty": {
    codex: { apiKey: "", baseUrl: "", config: {}, configOverrides: [] },
    thread: { model: "", workingDirectory: "", skipGitRepoCheck: false, additionalDirectories: [] },
    input: [
      { type: "text", text: "" },
      { type: "text", text: "x" },
    ],
    engine: turn,
  },
  "web search on": { thread: { webSearchEnabled: true }, engine: turn },
  "web search off": { thread: { webSearchEnabled: false, networkAccessEnabled: true }, engine: turn },
  "a resumed thread with images": {
    resume: "thread-9",
    thread: { threadSource: "not for resumed threads", model: "m" },
    input: [
      { type: "text", text: "look" },
      { type: "local_image", path: images[0]! },
    ],
    engine: turn,
  },
  "an environment of one's own": {
    codex: { env: { PATH: process.env.PATH ?? "", CODEX_INTERNAL_ORIGINATOR_OVERRIDE: "me" }, apiKey: "k" },
    engine: turn,
  },
  "every kind of event, unknown ones too": {
    engine: [
      step.readStdin(),
      started,
      step.event({ type: "turn.started" }),
      step.event({ type: "error", message: "reconnecting" }),
      step.event({
        type: "item.started",
        item: { id: "item_0", type: "command_execution", exit_code: null },
      }),
      step.event({ type: "item.updated", item: { id: "item_1", type: "todo_list", items: [] } }),
      step.event({ type: "from.the.future", extra: [1] }),
      step.event({ type: "item.completed", item: { id: "item_2", type: "agent_message", text: "one" } }),
      step.event({ type: "item.completed", item: { id: "item_3", type: "agent_message", text: "two" } }),
      step.event({ type: "turn.completed", usage }),
    ],
  },
  "the end without a terminal event": { engine: [step.readStdin(), started] },
  "a last line without a line feed": { engine: [step.readStdin(), step.stdout('{"type":"turn.started"}')] },
  "CRLF, and characters cut between two writes": {
    engine: [
      step.readStdin(),
      step.stdout('{"type":"error","message":"', Buffer.from([0xe2, 0x82]), Buffer.from([0xac])),
      step.stdout('"}\r\n{"type":"turn.started"}\r\n'),
    ],
  },
};

describe.each(Object.entries(turns))("%s", posix, (_name, contract) => {
  test("runStreamed() does what the official SDK does", async () => {
    const [theirs, mine] = [await streamCase(sdks.official, contract), await streamCase(sdks.ours, contract)];
    expect(mine).toEqual(theirs);
    expect(mine.calls).toHaveLength(1);
    expect(mine.error).toBeUndefined();
  });
});

test.each(["every option", "every kind of event, unknown ones too", "the end without a terminal event"])(
  "run() returns what the official SDK returns: %s",
  posix,
  async (name) => {
    const [theirs, mine] = [
      await runCase(sdks.official, turns[name]!),
      await runCase(sdks.ours, turns[name]!),
    ];
    expect(mine).toEqual(theirs);
    expect(mine.events).toEqual([
      { items: expect.any(Array), finalResponse: expect.any(String), usage: expect.toSatisfy(isUsage) },
    ]);
  },
);

function isUsage(value: unknown): boolean {
  return value === null || (typeof value === "object" && "cache_write_input_tokens" in value!);
}

// Turns that end badly: programs match on these messages. Ours have a code besides.
const failures: Record<string, { contract: ContractCase; code: string }> = {
  "an exit code": {
    contract: { engine: [step.readStdin(), started, step.stderr("no luck\n"), step.exit(7)] },
    code: "CODEX_JS_SDK_ENGINE_EXITED",
  },
  "a signal": {
    contract: { engine: [step.readStdin(), step.stderr("bye"), step.killSelf("SIGKILL")] },
    code: "CODEX_JS_SDK_ENGINE_EXITED",
  },
  "an error event and an exit code": {
    contract: { engine: [step.readStdin(), step.event({ type: "error", message: "x" }), step.exit(1)] },
    code: "CODEX_JS_SDK_ENGINE_EXITED",
  },
  "a failed turn": {
    contract: {
      engine: [started, step.event({ type: "turn.failed", error: { message: "quota" } }), step.exit(1)],
    },
    code: "CODEX_JS_SDK_TURN_FAILED",
  },
  "something that is not JSON": {
    contract: { engine: [step.readStdin(), started, step.stdout("oops\n")] },
    code: "CODEX_JS_SDK_ENGINE_OUTPUT_INVALID",
  },
  "an output schema that is no object": {
    contract: { turn: { outputSchema: ["x"] }, engine: turn },
    code: "CODEX_JS_SDK_OUTPUT_SCHEMA_INVALID",
  },
  "a null in the configuration": {
    contract: { codex: { config: { a: { b: null } } as never }, engine: turn },
    code: "CODEX_JS_SDK_CONFIG_INVALID",
  },
  "a number that TOML lacks": {
    contract: { codex: { config: { a: [1, Number.NaN] } }, engine: turn },
    code: "CODEX_JS_SDK_CONFIG_INVALID",
  },
  "an empty key": {
    contract: { codex: { config: { a: { "": 1 } } }, engine: turn },
    code: "CODEX_JS_SDK_CONFIG_INVALID",
  },
  "a configuration that is no object": {
    contract: { codex: { config: [1] as never }, engine: turn },
    code: "CODEX_JS_SDK_CONFIG_INVALID",
  },
};

test.each(Object.entries(failures))(
  "run() fails as the official SDK's does: %s",
  posix,
  async (_name, failure) => {
    const [theirs, mine] = [
      await runCase(sdks.official, failure.contract),
      await runCase(sdks.ours, failure.contract),
    ];
    const { name: _theirName, code: _theirCode, ...common } = theirs.error!;
    expect(mine).toEqual({ ...theirs, error: { ...common, name: expect.any(String), code: failure.code } });
  },
);

test("a missing executable: the message has the official one in it", posix, async () => {
  const contract: ContractCase = { codex: { codexPathOverride: "/no/such/codex" }, engine: [] };
  const [theirs, mine] = [await runCase(sdks.official, contract), await runCase(sdks.ours, contract)];
  expect(theirs.error).toMatchObject({ message: "spawn /no/such/codex ENOENT", code: "ENOENT" });
  expect(mine.error).toMatchObject({
    message: `the engine could not be started: ${theirs.error!.message}`,
    code: "CODEX_JS_SDK_ENGINE_NOT_STARTED",
    cause: `Error: ${theirs.error!.message}`,
  });
});

test("an aborted turn rejects as the official SDK's does", posix, async () => {
  const abortAfterStart = async (sdk: (typeof sdks)["ours"]) => {
    const abort = new AbortController();
    return streamCase(
      sdk,
      { turn: { signal: abort.signal }, engine: [step.readStdin(), started, step.linger()] },
      () => abort.abort(new Error("enough")),
    );
  };
  const theirs = await abortAfterStart(sdks.official);
  expect(await abortAfterStart(sdks.ours)).toEqual(theirs);
  expect(theirs.error).toEqual({
    name: "AbortError",
    code: "ABORT_ERR",
    message: "The operation was aborted",
    cause: "Error: enough",
  });
});

test("an unknown engine option, an unknown input entry: ignored as by the official SDK", posix, async () => {
  const contract = {
    thread: { unknown: 1 },
    input: [
      { type: "text", text: "a" },
      { type: "sound", path: "b" },
    ],
    engine: turn,
  } as unknown as ContractCase;
  expect(await streamCase(sdks.ours, contract)).toEqual(await streamCase(sdks.official, contract));
});
