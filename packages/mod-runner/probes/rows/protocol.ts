import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LineMessage, LineSession } from "../lines/line-session.ts";
import type { HostProbe, LineProbe, Outcome } from "../probe.ts";
import { manifestText } from "../scene/mod-text.ts";

const echo = "echo.ts";
const asks = "asks.ts";

/** Every malformed line has this end: it is told, and the runner ends itself. */
const malformedEnd = { value: ["malformed", 3] };

/** Why the last line was refused, and how the process ended. */
async function readEnd(session: LineSession): Promise<Outcome> {
  const message = await session.receive();
  const { exitCode, signal } = await session.ended();
  return { code: "ok", value: [message?.reason ?? null, exitCode ?? signal] };
}

const malformed = (id: string, tries: string, bytes: string | Buffer, closes = false): LineProbe => ({
  id,
  tries,
  expect: malformedEnd,
  speak: (session) => {
    session.write(bytes);
    if (closes) session.closeInput();
    return readEnd(session);
  },
});

const reply = (callback: number, request: unknown, value: unknown) => ({
  type: "hostReply",
  callback,
  request,
  value,
});

const inputProbes: LineProbe[] = [
  malformed("invalid-utf-8", "invalid UTF-8", Buffer.from('{"type":"cancel","id":"\xc3\x28"}\n', "latin1")),
  malformed("no-json", "a line that is no JSON", "nonsense\n"),
  malformed("no-object", "JSON that is no object", "[]\n"),
  malformed("two-objects", "two objects in one line", '{"type":"cancel","id":1}{"type":"cancel","id":1}\n'),
  malformed("end-mid-line", "the end of input within a line", '{"type":"shut', true),
  {
    ...malformed("endless-line", "a line of 32 MiB and more, without an end", ""),
    speak: (session) => {
      session.write('{"type":"callback","input":"');
      const chunk = Buffer.alloc(1 << 20, "x");
      for (let sent = 0; sent <= 32; sent += 1) session.write(chunk);
      return readEnd(session);
    },
  },
  {
    id: "large-input",
    tries: "an input that is larger than an input may be",
    expect: { code: "protocol_error" },
    speak: (session) => session.run(echo, { input: "x".repeat(8_388_609) }),
  },
  {
    id: "deep-input",
    tries: "an input that is nested deeper than an input may be",
    expect: { code: "protocol_error" },
    speak: (session) => session.run(echo, { inputText: "[".repeat(50_000) + "]".repeat(50_000) }),
  },
  {
    id: "two-in-one-write",
    tries: "two messages in one write",
    expect: { value: [1, 2] },
    speak: async (session) => {
      const lines = [1, 2].map((input) => `${JSON.stringify(session.callback(echo, { input }))}\n`);
      session.write(lines.join(""));
      return { code: "ok", value: [(await session.answer()).value, (await session.answer()).value] };
    },
  },
  {
    id: "byte-by-byte",
    tries: "one byte per write",
    expect: { value: 3 },
    speak: async (session) => {
      const line = Buffer.from(`${JSON.stringify(session.callback(echo, { input: 3 }))}\n`);
      for (const byte of line) {
        session.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      return toOutcome(await session.answer());
    },
  },
  {
    id: "unknown-message",
    tries: "messages of unknown type, without their fields, with a field too many",
    expect: { value: ["unknown_type", "invalid_message", "invalid_message"] },
    speak: async (session) => {
      const reasons: unknown[] = [];
      for (const message of [
        { type: "dance", id: 5 },
        { type: "callback", id: 5 },
        { type: "cancel", id: 5, more: 1 },
      ]) {
        session.send(message);
        reasons.push((await session.receive())?.reason);
      }
      return { code: "ok", value: reasons };
    },
  },
  {
    id: "other-version",
    tries: "a host of another version",
    expect: { value: ["unsupported_version", 3] },
    speak: (session) => {
      session.send({ type: "hello", protocolVersion: 2 });
      return readEnd(session);
    },
  },
  {
    id: "other-mod",
    tries: "another mod on a runner that has run one",
    expect: { code: "protocol_error" },
    speak: async (session) => {
      await session.run(echo, { input: 1 });
      return session.run(echo, { input: 1, digest: "f".repeat(64) });
    },
  },
];

const replyProbes: LineProbe[] = [
  {
    id: "unknown-request",
    tries: "a reply to a request that there was not",
    expect: { value: ["unknown_request", [1, 2]] },
    speak: (session) => speakReplies(session, (first) => [reply(session.lastId, 99, 0), first]),
  },
  {
    id: "duplicate-reply",
    tries: "a reply that comes twice",
    expect: { value: ["unknown_request", [1, 2]] },
    speak: (session) => speakReplies(session, (first) => [first, { ...first, value: 9 }]),
  },
  {
    id: "stale-reply",
    tries: "a reply to a callback that has ended: dropped without a word",
    expect: { value: 3 },
    speak: async (session) => {
      await session.run("leaves.ts", {
        input: 1,
      });
      session.send(reply(session.lastId, 1, 9));
      return session.run(echo, { input: 3 });
    },
  },
];

/** Sends what `answerFirst` makes of the right reply to the first request; then the second is answered. */
async function speakReplies(
  session: LineSession,
  answerFirst: (right: ReturnType<typeof reply>) => object[],
): Promise<Outcome> {
  session.send(session.callback(asks, { input: 1 }));
  const first = await session.receive();
  for (const message of answerFirst(reply(session.lastId, first?.request, 1))) session.send(message);
  const refusals: unknown[] = [];
  for (;;) {
    const message = await session.receive();
    if (message?.type === "hostRequest") session.send(reply(session.lastId, message.request, 2));
    else if (message?.code === "protocol_error") refusals.push(message.reason);
    else return { code: "ok", value: [...refusals, message?.value ?? message?.code ?? null] };
  }
}

const processProbes: LineProbe[] = [
  {
    id: "blocked-output",
    tries: "a host that reads nothing while the mod writes 60 MB: the runner ends itself",
    expect: { value: 70 },
    speak: async (session) => {
      session.stopReading();
      session.send(session.callback("floods.ts", { input: 1, budgetMs: 300 }));
      return describeEnd(await session.ended());
    },
  },
  {
    id: "closed-output",
    tries: "a host that has closed the output (SIGPIPE, EPIPE)",
    expect: { value: "ended" },
    speak: async (session) => {
      session.closeOutput();
      session.send(session.callback("prints.ts", { input: 1 }));
      await session.ended();
      return { code: "ok", value: "ended" };
    },
  },
  {
    id: "end-in-callback",
    tries: "the end of input while a callback loops",
    expect: { value: 0 },
    speak: async (session) => {
      session.send(session.callback("loops.ts", { input: 1, budgetMs: 60_000 }));
      await session.receive();
      session.closeInput();
      return describeEnd(await session.ended());
    },
  },
];

function describeEnd({ exitCode, signal }: Awaited<ReturnType<LineSession["ended"]>>): Outcome {
  return { code: "ok", value: exitCode ?? signal };
}

function toOutcome(message: LineMessage): Outcome {
  return message.type === "result" ? { code: "ok", value: message.value } : { code: String(message.code) };
}

const hostProbes: HostProbe[] = [
  {
    id: "killed-in-operation",
    tries: "SIGKILL to the runner during a host operation: the callback ends at once",
    expect: { code: "mod_crashed" },
    run: (scene) => {
      writeFileSync(join(scene.dir, "mod.json"), manifestText("main.ts"));
      writeFileSync(
        join(scene.dir, "main.ts"),
        "export default (_: unknown, host: any) => host.call('pause');",
      );
      scene.onPause(() => process.kill(scene.runnerPid(), "SIGKILL"));
      return scene.runMod();
    },
  },
  {
    id: "stopped-runner",
    tries: "SIGSTOP to the runner during a host operation: it is ended past its budget",
    expect: { code: "mod_timeout" },
    run: (scene) => {
      writeFileSync(join(scene.dir, "mod.json"), manifestText("main.ts"));
      writeFileSync(
        join(scene.dir, "main.ts"),
        "export default (_: unknown, host: any) => host.call('pause');",
      );
      scene.onPause(() => process.kill(scene.runnerPid(), "SIGSTOP"));
      return scene.runMod();
    },
  },
];

/** Lines that are right, and lines that are not; and processes that end. */
export const protocolProbes: (LineProbe | HostProbe)[] = [
  ...inputProbes,
  ...replyProbes,
  ...processProbes,
  ...hostProbes,
];
