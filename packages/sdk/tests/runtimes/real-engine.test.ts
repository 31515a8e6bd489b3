import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCodexHome, type MockModelOptions, reply, startMockModel } from "@codex-js/testkit/mock-model";
import { waitUntilGone } from "@codex-js/testkit/process-state";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Turn } from "../../src/index.ts";
import { driveSdk, runtimeNames } from "./runtimes.ts";

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let dir: string;
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), "codex-js-sdk-")));
});
afterEach(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));

async function startModel(options: MockModelOptions = {}) {
  const model = await startMockModel(options);
  const home = await createCodexHome(model, { dir: join(dir, "home") });
  return { model, env: home.env, [Symbol.asyncDispose]: () => model.close() };
}

const ways = runtimeNames.flatMap((runtime) =>
  (["app-server", "exec"] as const).map((transport) => ({ runtime, transport })),
);

describe.each(ways)("the real engine, $transport on $runtime", ({ runtime, transport }) => {
  // openai/codex#10708: `--image` swallowed what came after it, and resuming with images started a new thread.
  test("a conversation: first turn, resumed with images and a schema", async () => {
    await using engine = await startModel({ respond: (_request, index) => reply.message(`answer ${index}`) });
    const images = [join(dir, "one.png"), join(dir, "two.png")];
    for (const image of images) await writeFile(image, pixel);
    const outputSchema = {
      type: "object",
      properties: { ok: { type: "boolean" } },
      required: ["ok"],
      additionalProperties: false,
    };
    const [first, second] = await driveSdk(
      runtime,
      {
        transport,
        turns: [
          { how: "run", input: "the first \u2028 prompt" },
          {
            again: true,
            how: "run",
            input: [{ type: "text", text: "the second prompt" }, ...images.map(toImage)],
            outputSchema,
          },
        ],
      },
      engine.env,
    );
    expect([first!.error, second!.error]).toEqual([undefined, undefined]);
    expect([finalResponse(first), finalResponse(second)]).toEqual(["answer 0", "answer 1"]);
    expect(second!.threadId).toBe(first!.threadId);

    const [, request] = engine.model.requests;
    const texts = request!.userTexts.filter((text) => text.includes("prompt"));
    expect(texts).toEqual(["the first \u2028 prompt", "the second prompt"]);
    const body = request!.body as RequestBody;
    const sent = body.input
      .flatMap(({ content }) => content ?? [])
      .filter(({ type }) => type === "input_image");
    expect(sent).toHaveLength(2);
    expect(body.text?.format).toMatchObject({ type: "json_schema", schema: outputSchema });
    expect(request!.headers.originator).toBe("codex_sdk_ts");
  });

  test("a failed turn", async () => {
    await using engine = await startModel({
      respond: () => reply.error(400, { error: { message: "no such model" } }),
    });
    const [result] = await driveSdk(runtime, { transport, turns: [{ how: "run", input: "x" }] }, engine.env);
    expect(result).toMatchObject({
      threadId: expect.any(String),
      error: { code: "CODEX_JS_SDK_TURN_FAILED", message: expect.stringContaining("no such model") },
    });
  });

  // openai/codex#21994. The engine runs tools in sessions of their own: only SIGINT makes it end them.
  test.skipIf(process.platform === "win32")("abort ends the command that the agent runs", async () => {
    const pidFile = join(dir, "pid");
    await using engine = await startModel({
      respond: () =>
        reply.functionCall("exec_command", {
          cmd: `sleep 1000 & echo $! > ${pidFile}.part && mv ${pidFile}.part ${pidFile}; wait`,
          yield_time_ms: 60_000,
        }),
    });
    const [result] = await driveSdk(
      runtime,
      { transport, turns: [{ how: "run", input: "x", abort: { onFile: pidFile } }] },
      engine.env,
    );
    expect(result!.error).toMatchObject({ name: "AbortError", cause: "Error: enough" });
    await waitUntilGone(Number(await readFile(pidFile, "utf8")));
  });
});

// What an idle engine leaves behind when its program ends without closing it.
test.skipIf(process.platform === "win32").each(runtimeNames)(
  "a program that does not close its client ends, and no engine stays: %s",
  async (runtime) => {
    const pidFile = join(dir, "pid");
    await using engine = await startModel({
      respond: (_request, index) =>
        index === 0
          ? reply.functionCall("exec_command", { cmd: `echo $PPID > ${pidFile}` })
          : reply.message("done"),
    });
    const [result] = await driveSdk(
      runtime,
      { transport: "app-server", turns: [{ how: "run", input: "x" }] },
      engine.env,
    );
    expect(finalResponse(result)).toBe("done");
    await waitUntilGone(Number(await readFile(pidFile, "utf8")));
  },
);

test.skipIf(process.platform === "win32").each(runtimeNames)(
  "process.exit() in the middle of a turn ends the engine and its command: %s",
  async (runtime) => {
    const pidFile = join(dir, "pid");
    await using engine = await startModel({
      respond: () =>
        reply.functionCall("exec_command", {
          cmd: `echo "$PPID $$" > ${pidFile}.part && mv ${pidFile}.part ${pidFile}; exec sleep 1000`,
          yield_time_ms: 60_000,
        }),
    });
    await driveSdk(
      runtime,
      { transport: "app-server", turns: [{ how: "run", input: "x", exitOnFile: pidFile }] },
      engine.env,
    );
    for (const pid of (await readFile(pidFile, "utf8")).trim().split(" ")) await waitUntilGone(Number(pid));
  },
);

test.each(["app-server", "exec"] as const)(
  "an unknown thread is an error, with the engine's reason: %s",
  async (transport) => {
    await using engine = await startModel();
    const { Codex }: typeof import("../../src/index.ts") = await import("../../src/index.ts");
    const env = { ...(process.env as Record<string, string>), ...engine.env };
    await using codex = new Codex({ env, transport });
    const thread = codex.resumeThread("01a22d21-0bfb-7ca0-a735-cfcd78e16e70", {
      skipGitRepoCheck: true,
    });
    await expect(thread.run("x")).rejects.toMatchObject({
      code: "CODEX_JS_SDK_ENGINE_EXITED",
      exitCode: 1,
      stderr: expect.stringContaining("no rollout found for thread id"),
    });
    const sessions = join(dir, "home", "sessions");
    expect(existsSync(sessions) ? readdirSync(sessions) : []).toEqual([]);
  },
);

interface RequestBody {
  input: { content?: { type: string }[] }[];
  text?: { format?: unknown };
}

function toImage(path: string) {
  return { type: "local_image" as const, path };
}

function finalResponse(result: { result: unknown } | undefined): string {
  return (result!.result as Turn).finalResponse;
}
