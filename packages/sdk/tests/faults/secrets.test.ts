import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import {
  type AppServerRule,
  createFakeEngine,
  type FakeEngineStep,
  step,
} from "@codex-js/testkit/fake-engine";
import { describe, expect, test } from "vitest";
import { Codex, CodexClient, type CodexOptions } from "../../src/index.ts";

const key = "sk-canary-0123456789";
const says = `Incorrect API key provided: ${key}`;

/** Everything of an error that a logger or a crash report could show, causes and hidden fields included. */
function showAll(error: unknown): string {
  const texts = [inspect(error, { depth: 20, showHidden: true })];
  for (let at = error; at instanceof Error; at = at.cause) {
    texts.push(at.message, at.stack ?? "", JSON.stringify(Object.getOwnPropertyDescriptors(at)));
  }
  return texts.join("\n");
}

const answer = (method: string, result: unknown): AppServerRule => ({
  on: { method },
  do: [step.respond(result)],
});
const login = answer("account/login/start", { type: "apiKey" });
const turn = { id: "u1", status: "inProgress", items: [], error: null };
const failed = {
  ...turn,
  status: "failed",
  error: { message: says, codexErrorInfo: null, additionalDetails: says },
};

function createRules(start: AppServerRule, ...more: AppServerRule[]): AppServerRule[] {
  const thread = answer("thread/start", { thread: { id: "t1" } });
  return [...more, answer("config/read", { config: {} }), start, login, thread];
}
const onTurn = (...steps: FakeEngineStep[]): AppServerRule => ({ on: { method: "turn/start" }, do: steps });
const refusal = { code: -32600, message: says, data: { body: says } };

/** Every way in which an engine could say the key back, and the part of the error that shows it was said. */
const ways: [string, AppServerRule[], exec: FakeEngineStep[] | undefined][] = [
  [
    "it ends in mid-turn with the key on stderr",
    createRules(onTurn(step.respond({ turn }), step.stderr(`${says}\n`), step.exit(1))),
    [step.readStdin(), step.stderr(`${says}\n`), step.exit(1)],
  ],
  [
    "it ends at its start with the key on stderr",
    [{ on: { event: "start" }, do: [step.stderr(`${says}\n`), step.exit(1)] }],
    undefined,
  ],
  [
    "it refuses the login",
    // Without a login of this side, the first request is another one.
    ["account/login/start", "config/read", "thread/start"].map((method) => ({
      on: { method },
      do: [step.respondError(refusal)],
    })),
    undefined,
  ],
  ["it refuses a request", createRules(onTurn(step.respondError(refusal))), undefined],
  [
    "it prints what is no JSON",
    createRules(onTurn(step.stdout(`${says}\n`))),
    [step.readStdin(), step.stdout(`${says}\n`)],
  ],
  [
    "it prints broken JSON",
    createRules(onTurn(step.stdout(`{"method":"${says}\n`))),
    [step.readStdin(), step.stdout(`{"type":"${says}\n`)],
  ],
  [
    "the turn fails",
    createRules(
      onTurn(
        step.respond({ turn }),
        step.notify("turn/started", { threadId: "t1", turn }),
        step.notify("turn/completed", { threadId: "t1", turn: failed }),
      ),
    ),
    [step.readStdin(), step.event({ type: "turn.failed", error: { message: says } })],
  ],
];

// The fake engine is a script, which Windows starts only through a shell.
describe.skipIf(process.platform === "win32").each(ways)(
  "the key is in no error: %s",
  (_way, appServer, exec) => {
    const given: [string, CodexOptions][] = [
      ["apiKey", { apiKey: key }],
      ["OPENAI_API_KEY", { env: { ...(process.env as Record<string, string>), OPENAI_API_KEY: key } }],
      ["config", { config: { model_providers: { mine: { experimental_bearer_token: key } } } }],
      ["configOverrides", { configOverrides: [`mcp_servers.git.env.GIT_TOKEN="${key}"`] }],
      ["CODEX_API_KEY", { env: { ...(process.env as Record<string, string>), CODEX_API_KEY: key } }],
    ];

    test.each(given)("of Codex, given as %s", async (how, options) => {
      await using engine = await createFakeEngine({ appServer, ...(exec && { exec }) });
      for (const transport of exec === undefined
        ? (["app-server"] as const)
        : (["app-server", "exec"] as const)) {
        await using codex = new Codex({ ...options, codexPathOverride: engine.executablePath, transport });
        const error = await codex
          .startThread({ skipGitRepoCheck: true })
          .run("hello")
          .catch((cause) => cause);
        expect(error).toMatchObject({ code: expect.stringMatching(/^CODEX_JS_SDK_/) });
        expect(error.message).toContain("***");
        expect(showAll(error)).not.toContain(key);
      }
      await using codex = new Codex({ ...options, codexPathOverride: engine.executablePath });
      const { events } = await codex.startThread({ skipGitRepoCheck: true }).runStreamed("hello");
      const seen: unknown[] = [];
      const read = async () => {
        for await (const event of events) seen.push(event);
      };
      await read().catch((error) => seen.push(showAll(error)));
      expect(JSON.stringify(seen)).not.toContain(key);
      expect(JSON.stringify(seen)).toContain("***");
      const calls = await engine.calls();
      // The engine takes configuration on its command line only.
      const isOnCommandLine = JSON.stringify(calls.map(({ argv }) => argv)).includes(key);
      expect(isOnCommandLine).toBe(how.startsWith("config"));
    });

    test("of CodexClient", async () => {
      await using engine = await createFakeEngine({ appServer });
      await using client = new CodexClient({ apiKey: key, codexPathOverride: engine.executablePath });
      const states: unknown[] = [];
      client.onStateChange((change) => void states.push(change));
      const run = async () => {
        const { thread } = await client.threads.start();
        return (await client.startTurn({ threadId: thread.id, input: "hello" })).result();
      };
      const error = await run().catch((cause) => cause);
      expect(error.message).toContain("***");
      expect(showAll(error)).not.toContain(key);
      expect(showAll(states)).not.toContain(key);
    });
  },
);

describe.skipIf(process.platform === "win32")("a key that a login is given", () => {
  test("is in no error of the engine that has it, nor of the next one", async () => {
    const rules = createRules(onTurn(step.stderr(`${says}\n`), step.exit(1)));
    await using engine = await createFakeEngine({ appServer: rules });
    await using client = new CodexClient({ codexPathOverride: engine.executablePath });
    await client.account.login({ type: "apiKey", apiKey: key });
    for (let start = 0; start < 2; start++) {
      const { thread } = await client.threads.start();
      const error = await client.startTurn({ threadId: thread.id, input: "hello" }).catch((cause) => cause);
      expect(error).toMatchObject({
        code: "CODEX_JS_SDK_ENGINE_CRASHED",
        stderr: "Incorrect API key provided: ***",
      });
      expect(showAll(error)).not.toContain(key);
    }
  });
});

test("an executable that cannot be started: the key is in no error", async () => {
  await using codex = new Codex({ apiKey: key, codexPathOverride: "/no/such/codex" });
  const error = await codex
    .startThread({ skipGitRepoCheck: true })
    .run("hello")
    .catch((cause) => cause);
  expect(error).toMatchObject({ code: "CODEX_JS_SDK_ENGINE_NOT_STARTED" });
  expect(showAll(error)).not.toContain(key);
});

test.each([
  ["in its refusal", () => `HTTP/1.1 401 ${key}\r\nx-token: ${key}\r\ncontent-length: 0\r\n\r\n`],
  ["in its close frame", (accept: string) => upgraded(accept, closeFrame(key))],
  [
    "as a message",
    (accept: string) =>
      upgraded(accept, Buffer.concat([Buffer.from([0x81, says.length]), Buffer.from(says)])),
  ],
])("the token is in no error of a server that says it back %s", async (_how, reply) => {
  const server = createServer();
  server.on("upgrade", (request, socket) => {
    socket.on("error", () => {});
    expect(request.headers.authorization).toBe(`Bearer ${key}`);
    const sent = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    socket.end(reply(createHash("sha1").update(sent).digest("base64")));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await using codex = Codex.connect(url, { token: key });
    const error = await codex
      .startThread({ skipGitRepoCheck: true })
      .run("hello")
      .catch((cause) => cause);
    expect(error).toMatchObject({ code: "CODEX_JS_SDK_ENGINE_NOT_STARTED" });
    expect(showAll(error)).not.toContain(key);
  } finally {
    server.close();
  }
});

function upgraded(accept: string, frame: Buffer): Buffer {
  const lines = [
    "HTTP/1.1 101 x",
    "connection: upgrade",
    "upgrade: websocket",
    `sec-websocket-accept: ${accept}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), frame]);
}

function closeFrame(reason: string): Buffer {
  return Buffer.concat([Buffer.from([0x88, reason.length + 2, 0x03, 0xf0]), Buffer.from(reason)]);
}
