import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type MockModelOptions, type MockModelReply, reply, startMockModel } from "./index.ts";

async function startForTest(options: MockModelOptions = {}) {
  const model = await startMockModel(options);
  onTestFinished(() => model.close());
  return model;
}

function ask(baseUrl: string, ...texts: string[]): Promise<Response> {
  const content = texts.map((text) => ({ type: "input_text", text }));
  return fetch(`${baseUrl}/responses`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ input: [{ type: "message", role: "user", content }] }),
  });
}

/** The `data` of every event, after checking that the event's name says the same. */
async function readEvents(response: Response): Promise<Record<string, unknown>[]> {
  const blocks = (await response.text()).split("\n\n").filter((block) => block !== "");
  return blocks.map((block) => {
    const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
    const event = JSON.parse(data ?? "") as Record<string, unknown>;
    expect(event.type).toBe(name);
    return event;
  });
}

test("echoes the last user text and records the request", async () => {
  const model = await startForTest();
  const response = await ask(model.baseUrl, "context", "hello");
  const message = {
    type: "message",
    id: "item_mock_0_0",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "mock: hello", annotations: [] }],
  };
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(await readEvents(response)).toEqual([
    { type: "response.created", response: { id: "resp_mock_0", status: "in_progress" } },
    { type: "response.output_item.done", output_index: 0, item: message },
    {
      type: "response.completed",
      response: {
        id: "resp_mock_0",
        status: "completed",
        output: [message],
        usage: {
          input_tokens: 11,
          input_tokens_details: { cached_tokens: 3 },
          output_tokens: 7,
          output_tokens_details: { reasoning_tokens: 2 },
          total_tokens: 18,
        },
      },
    },
  ]);
  expect(model.requests).toEqual([
    {
      path: "/v1/responses",
      headers: expect.objectContaining({ "content-type": "application/json" }),
      body: { input: [expect.objectContaining({ role: "user" })] },
      userTexts: ["context", "hello"],
    },
  ]);
});

test("streams deltas that never split a character", async () => {
  const model = await startForTest({ respond: () => reply.message("a🙂b", { deltaChars: 2 }) });
  const events = await readEvents(await ask(model.baseUrl, "go"));
  expect(
    events.filter(({ type }) => type === "response.output_text.delta").map(({ delta }) => delta),
  ).toEqual(["a🙂", "b"]);
});

test("a sequence is one response with the last usage", async () => {
  const usage = { inputTokens: 1 };
  const model = await startForTest({
    respond: () =>
      reply.sequence(reply.reasoning("hm"), reply.functionCall("f", { a: 1 }, "call_1", { usage })),
  });
  const events = await readEvents(await ask(model.baseUrl, "go"));
  expect(events.at(-1)).toMatchObject({
    type: "response.completed",
    response: {
      output: [
        { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
        { type: "function_call", name: "f", arguments: '{"a":1}', call_id: "call_1" },
      ],
      usage: { input_tokens: 1, output_tokens: 0, total_tokens: 1 },
    },
  });
});

test("the reply may depend on the request and its number", async () => {
  const model = await startForTest({
    respond: ({ userTexts }, index) => reply.error(500 + index, { error: { message: userTexts[0] } }),
  });
  const answers = [await ask(model.baseUrl, "a"), await ask(model.baseUrl, "b")];
  expect(await Promise.all(answers.map(async (answer) => [answer.status, await answer.json()]))).toEqual([
    [500, { error: { message: "a" } }],
    [501, { error: { message: "b" } }],
  ]);
});

test("a respond that throws is HTTP 500 with its message, and other paths are 404", async () => {
  const model = await startForTest({
    respond: () => {
      throw new Error("out of replies");
    },
  });
  const failed = await ask(model.baseUrl, "a");
  const other = await fetch(`${model.baseUrl}/models`);
  expect([failed.status, await failed.text(), other.status]).toEqual([
    500,
    expect.stringContaining("out of replies"),
    404,
  ]);
});

test("a body that is no JSON breaks the connection and is not recorded", async () => {
  const model = await startForTest();
  await expect(fetch(`${model.baseUrl}/responses`, { method: "POST", body: "{" })).rejects.toThrow();
  expect(model.requests).toEqual([]);
});

test("cut sends what it was told to, then breaks the connection", async () => {
  const model = await startForTest({ respond: () => reply.cut({ afterText: "half" }) });
  const response = await ask(model.baseUrl, "go");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const read = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  };
  await expect(read()).rejects.toThrow();
  expect(text).toContain('"delta":"half"');
  expect(text).not.toContain("response.completed");
});

test.each<[string, MockModelReply]>([
  ["hanging", reply.hang()],
  ["delayed", reply.message("late", { delayMs: 2 ** 30 })],
  ["slowly streaming", reply.message("late", { deltaChars: 1, deltaDelayMs: 2 ** 30 })],
])("close releases a %s reply and an idle connection", async (_, answer) => {
  let asked: () => void = () => {};
  const gotRequest = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const model = await startForTest({
    respond: ({ userTexts }) => {
      if (userTexts[0] !== "wait") return reply.message("done");
      asked();
      return answer;
    },
  });
  await (await ask(model.baseUrl, "idle")).text();
  const waiting = ask(model.baseUrl, "wait").then((response) => response.text());
  const outcome = waiting.then(
    () => "answered",
    () => "broken",
  );
  await gotRequest;
  await model.close();
  expect(await outcome).toBe("broken");
  await expect(ask(model.baseUrl, "again")).rejects.toThrow();
});

test("the signal closes it, and close may be called again", async () => {
  const abort = new AbortController();
  const model = await startForTest({ signal: abort.signal });
  abort.abort();
  await model.close();
  await expect(ask(model.baseUrl, "again")).rejects.toThrow();
  await expect(startMockModel({ signal: abort.signal })).rejects.toThrow("aborted");
});

test("a taken port is an error and not a crash", async () => {
  const holder = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void holder.close());
  await new Promise((resolve) => holder.once("listening", resolve));
  const { port } = holder.address() as { port: number };
  await expect(startMockModel({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});
