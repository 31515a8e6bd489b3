import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Drive, Driver } from "./drive.ts";

// Not engine/stdio-client.ts, which is for preparations and sees to much that a bare loop does not.

interface Message {
  id?: number;
  method?: string;
  params?: { turn?: { status: string } };
  result?: { thread?: { id: string } };
  error?: { message: string };
}

/** Requests, answers, and the end of a turn; no deadlines, no crash handling, no events for anybody. */
export function createBareDriver({ binary, workDir }: Drive): Driver {
  const engine = spawn(binary, ["app-server"], { stdio: ["pipe", "pipe", "ignore"] as const });
  const exited = once(engine, "exit");
  const pending = new Map<number, (message: Message) => void>();
  let nextId = 0;
  let endTurn: (message: Message) => void = () => {};
  createInterface({ input: engine.stdout! }).on("line", (line) => {
    const message = JSON.parse(line) as Message;
    if (message.id !== undefined) pending.get(message.id)?.(message);
    else if (message.method === "turn/completed") endTurn(message);
  });
  const send = (message: object) =>
    (engine as unknown as ChildProcessWithoutNullStreams).stdin.write(`${JSON.stringify(message)}\n`);
  const request = async (method: string, params: object): Promise<Message["result"]> => {
    const id = nextId++;
    const { result, error } = await new Promise<Message>((resolve) => {
      pending.set(id, resolve);
      send({ id, method, params });
    });
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const startThread = async () => {
    await request("initialize", {
      clientInfo: { name: "codex_js_bench", title: null, version: "0.0.0" },
      capabilities: null,
    });
    send({ method: "initialized" });
    const settings = { cwd: workDir, approvalPolicy: "never", sandbox: "read-only" };
    return (await request("thread/start", settings))?.thread?.id;
  };
  const started = startThread();
  return {
    runTurn: async (prompt) => {
      const threadId = await started;
      const ended = new Promise<Message>((resolve) => {
        endTurn = resolve;
      });
      await request("turn/start", { threadId, input: [{ type: "text", text: prompt, text_elements: [] }] });
      const status = (await ended).params?.turn?.status;
      if (status !== "completed") throw new Error(`the turn is ${status}`);
    },
    close: async () => {
      engine.stdin!.end();
      await exited;
    },
  };
}
