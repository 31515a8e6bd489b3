import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { RunningProcess } from "../processes/start-process.ts";

const timeoutMs = 60_000;
const pollMs = 10;

/** Resolves when somebody accepts connections at `path`. @throws ToolError CODEX_JS_BENCH_SERVER_NOT_READY (external) */
export async function waitForSocket(
  path: string,
  server: RunningProcess,
  signal: AbortSignal,
): Promise<void> {
  let end: string | undefined;
  void server.ended.then((how) => {
    end = how;
  });
  const deadline = performance.now() + timeoutMs;
  while (!(await accepts(path))) {
    signal.throwIfAborted();
    if (end !== undefined || performance.now() > deadline) {
      throw new ToolError({
        code: "CODEX_JS_BENCH_SERVER_NOT_READY",
        message: `app-server ${end ?? `did not listen within ${timeoutMs} ms`} (${path})\n${server.readStderr()}`,
        exitCode: exitCodes.external,
      });
    }
    await sleep(pollMs);
  }
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
