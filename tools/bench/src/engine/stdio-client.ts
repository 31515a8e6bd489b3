import { createInterface } from "node:readline";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { type RunningProcess, type StartOptions, startProcess } from "../processes/start-process.ts";

interface Reply {
  id?: number;
  result?: unknown;
  error?: { code: number; message: string };
}

/** The least that speaks with `codex app-server` on stdio; used to prepare, never measured. */
export interface StdioClient {
  /** @throws ToolError CODEX_JS_BENCH_ENGINE_REFUSED, CODEX_JS_BENCH_ENGINE_ENDED (external) */
  request(method: string, params: unknown): Promise<unknown>;
  /** Ends the engine's input, which ends the engine, and waits for it. */
  close(): Promise<void>;
}

/** Starts the engine and shakes hands with it. */
export async function startStdioClient(binary: string, options: StartOptions): Promise<StdioClient> {
  const engine = await startProcess(binary, ["app-server"], options);
  const pending = new Map<number, (reply: Reply) => void>();
  // The end comes as a reply to whoever waits.
  let nextId = 0;
  createInterface({ input: engine.stdout }).on("line", (line) => {
    const reply = JSON.parse(line) as Reply;
    if (reply.id === undefined) return;
    pending.get(reply.id)?.(reply);
    pending.delete(reply.id);
  });
  const request = async (method: string, params: unknown) => {
    const id = ++nextId;
    const answered = new Promise<Reply>((resolve) => pending.set(id, resolve));
    engine.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
    const reply = await Promise.race([answered, engine.ended.then((how) => failEnded(engine, how, method))]);
    if (reply.error !== undefined) throw refuse(method, reply.error);
    return reply.result;
  };
  const close = async () => {
    engine.stdin.end();
    await engine.ended;
    await engine.stop();
  };
  try {
    await request("initialize", {
      clientInfo: { name: "codex_js_bench", title: null, version: "0.0.0" },
      capabilities: null,
    });
    engine.stdin.write(`${JSON.stringify({ method: "initialized" })}\n`);
    return { request, close };
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

function failEnded(engine: RunningProcess, how: string, method: string): never {
  throw new ToolError({
    code: "CODEX_JS_BENCH_ENGINE_ENDED",
    message: `the engine ${how} before it answered ${method}\n${engine.readStderr()}`,
    exitCode: exitCodes.external,
  });
}

function refuse(method: string, error: { code: number; message: string }): ToolError {
  return new ToolError({
    code: "CODEX_JS_BENCH_ENGINE_REFUSED",
    message: `the engine refused ${method}: ${error.message} (${error.code})`,
    exitCode: exitCodes.external,
  });
}
