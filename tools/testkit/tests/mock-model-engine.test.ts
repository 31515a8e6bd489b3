import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type ChildResult, runNode, withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { createCodexHome, type MockModelOptions, reply, startMockModel } from "../src/mock-model/index.ts";

const require = createRequire(import.meta.url);

// The real engine, by way of its own launcher.
const launcher = join(dirname(require.resolve("@openai/codex/package.json")), "bin/codex.js");

type Exec = (...args: string[]) => Promise<{ result: ChildResult; events: Record<string, unknown>[] }>;

async function withEngine(options: MockModelOptions, use: (exec: Exec, dir: string) => Promise<void>) {
  await using model = await startMockModel(options);
  await using home = await createCodexHome(model);
  await withTempDir("codex-js-turn", async (dir) => {
    await use(async (...args) => {
      const result = await runNode(
        launcher,
        ["exec", "--experimental-json", "--skip-git-repo-check", ...args],
        {
          cwd: dir,
          env: { PATH: process.env.PATH, ...home.env },
          okExitCodes: "any",
        },
      );
      const lines = result.stdout.split("\n").filter((line) => line !== "");
      return { result, events: lines.map((line) => JSON.parse(line)) };
    }, dir);
  });
}

test("a turn and its resumption, whose usage is the thread's running total", async () => {
  await withEngine({}, async (exec) => {
    const first = await exec("hello");
    const threadId = first.events[0]?.thread_id as string;
    const second = await exec("resume", threadId, "again");
    const expected = (text: string, turns: number) => [
      { type: "thread.started", thread_id: threadId },
      { type: "turn.started" },
      { type: "item.completed", item: { id: "item_0", type: "agent_message", text } },
      {
        type: "turn.completed",
        usage: {
          input_tokens: turns * 11,
          cached_input_tokens: turns * 3,
          cache_write_input_tokens: 0,
          output_tokens: turns * 7,
          reasoning_output_tokens: turns * 2,
        },
      },
    ];
    expect([first.events, second.events]).toEqual([expected("mock: hello", 1), expected("mock: again", 2)]);
  });
});

test("a function call becomes a command that really runs", async () => {
  const respond: MockModelOptions["respond"] = (_, index) =>
    index === 0
      ? reply.sequence(
          reply.reasoning("I should look", { deltaChars: 4 }),
          reply.functionCall("exec_command", { cmd: "echo from the tool" }),
        )
      : reply.message("seen", { deltaChars: 2 });
  await withEngine({ respond }, async (exec) => {
    const { events } = await exec("--sandbox", "danger-full-access", "look");
    const items = events.filter(({ type }) => type === "item.completed").map(({ item }) => item);
    expect(items).toEqual([
      { id: "item_0", type: "reasoning", text: "I should look" },
      {
        id: "item_1",
        type: "command_execution",
        command: expect.stringContaining("echo from the tool"),
        aggregated_output: "from the tool\n",
        exit_code: 0,
        status: "completed",
      },
      { id: "item_2", type: "agent_message", text: "seen" },
    ]);
  });
});

test("apply_patch becomes a file change", async () => {
  const patch = "*** Begin Patch\n*** Add File: new.txt\n+text\n*** End Patch\n";
  const respond: MockModelOptions["respond"] = (_, index) =>
    index === 0 ? reply.customToolCall("apply_patch", patch) : reply.message("written");
  await withEngine({ respond }, async (exec, dir) => {
    const { events } = await exec("--sandbox", "danger-full-access", "write");
    expect(events.filter(({ type }) => type === "item.completed").map(({ item }) => item)).toMatchObject([
      { type: "file_change", changes: [{ path: join(dir, "new.txt"), kind: "add" }], status: "completed" },
      { type: "agent_message", text: "written" },
    ]);
    expect(existsSync(join(dir, "new.txt"))).toBe(true);
  });
});

test.each([
  ["HTTP error", reply.error(400, { error: { message: "no such luck" } }), "no such luck"],
  ["failure of the model", reply.failed("invalid_prompt", "not this one"), "not this one"],
  ["cut connection", reply.cut({ afterText: "half" }), "stream disconnected"],
])("a %s fails the turn at once", async (_, answer, message) => {
  await withEngine({ respond: () => answer }, async (exec) => {
    const { result, events } = await exec("hello");
    expect({ exitCode: result.exitCode, last: events.at(-1) }).toEqual({
      exitCode: 1,
      last: { type: "turn.failed", error: { message: expect.stringContaining(message) } },
    });
  });
});
