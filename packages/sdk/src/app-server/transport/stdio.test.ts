import { afterEach, expect, test } from "vitest";
import { type EngineChild, startEngineChild } from "../engine-child.ts";
import { createStdioTransport } from "./stdio.ts";

const children: EngineChild[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.signal("SIGKILL");
    await child.exited;
  }
});

/** A process in the engine's place, and what it says. */
async function open(script: string, maxMessageBytes?: number) {
  const child = await startEngineChild({ file: process.execPath, args: ["-e", script], env: process.env });
  children.push(child);
  const transport = createStdioTransport(child, maxMessageBytes === undefined ? {} : { maxMessageBytes });
  const messages: string[] = [];
  const oversized: string[] = [];
  let onMessage: () => void = () => {};
  transport.listen({
    onMessage: (text) => {
      messages.push(text);
      onMessage();
    },
    onOversizedMessage: (head) => oversized.push(head),
  });
  const received = (count: number) =>
    new Promise<string[]>((resolve) => {
      onMessage = () => messages.length >= count && resolve(messages);
      onMessage();
    });
  return { child, transport, messages, oversized, received };
}

test("long messages arrive whole both ways, in order", async () => {
  const { transport, received } = await open("process.stdin.pipe(process.stdout)");
  const texts = ["1", "🎉".repeat(500_000), "2", `"${"x".repeat(3_000_000)}"`, "Größe \u2028"];
  for (const text of texts) transport.send(text);
  expect(await received(texts.length)).toEqual(texts);
  transport.end();
  expect(await transport.closed).toMatchObject({ exitCode: 0, signal: null });
});

test("what the engine says last arrives before its end does", async () => {
  const { transport, messages } = await open(`
    for (let index = 0; index < 20000; index++) process.stdout.write(index + "\\n");
    process.stdout.end(() => { process.stderr.write("\\u001b[31mred\\u001b[0m last words\\n"); process.exitCode = 3; });`);
  const end = await transport.closed;
  expect([messages.length, messages.at(-1)]).toEqual([20_000, "19999"]);
  expect(end).toMatchObject({
    exitCode: 3,
    stderr: "red last words",
    message: expect.stringContaining("code 3"),
  });
});

// openai/codex-action#153: the pipe breaks under a large prompt and the error ends the host.
test("an engine that goes away under a large message is no uncaught error", async () => {
  const { transport } = await open("process.stdin.once('data', () => process.exit(9))");
  const drained = transport.send("x".repeat(20_000_000));
  expect(await transport.closed).toMatchObject({ exitCode: 9 });
  await drained;
  expect(transport.send("more")).toBeUndefined();
});

test("a sender learns when a slow engine has caught up", async () => {
  const { transport, child, received } = await open(`
    const alive = setInterval(() => {}, 1000);
    process.on("SIGUSR2", () => {
      process.stdin.resume().on("end", () => console.log("end"));
      clearInterval(alive);
    });
    console.log("up");`);
  await received(1);
  const drained = transport.send("x".repeat(1_000_000));
  expect(drained).toBeInstanceOf(Promise);
  expect(transport.send("y")).toBe(drained);
  if (process.platform === "win32") return;
  child.signal("SIGUSR2");
  await drained;
  transport.end();
  await received(2);
});

test("only the last lines of a talkative engine are kept", async () => {
  const { transport } = await open("for (let i = 0; i < 5000; i++) console.error('line ' + i)");
  const { stderr } = (await transport.closed) as unknown as { stderr: string };
  expect([stderr.split("\n").length, stderr.endsWith("line 4999")]).toEqual([40, true]);
});

test("a message past the bound is skipped and told", async () => {
  const { transport, messages, oversized } = await open(
    "console.log('1\\n' + 'x'.repeat(5000) + '\\n2')",
    1000,
  );
  await transport.closed;
  expect([messages, oversized.map((head) => head.slice(0, 3))]).toEqual([["1", "2"], ["xxx"]]);
});
