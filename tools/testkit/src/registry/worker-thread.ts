import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { WorkerInput, WorkerOutput } from "./worker-messages.ts";

/** `onLog` gets what the worker reports and prints. */
export function startWorker(
  input: WorkerInput,
  env: NodeJS.ProcessEnv,
  onLog: (line: string) => void,
): Worker {
  const worker = new Worker(new URL("./verdaccio-worker.ts", import.meta.url), {
    workerData: input,
    env: selectWorkerEnv(env),
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  for (const stream of [worker.stdout, worker.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => onLog(text.trimEnd()));
  }
  worker.on("message", (message: WorkerOutput) => {
    if (message.type === "log") onLog(message.line);
  });
  worker.on("error", (error) => onLog(`the registry broke down: ${error.stack ?? error.message}`));
  return worker;
}

/** verdaccio changes its behaviour by variables of its own and by DEBUG; only proxies may reach it. */
function selectWorkerEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const passed = /^(https?_proxy|no_proxy|all_proxy|node_extra_ca_certs|ssl_cert_\w+|tmpdir|temp|tmp)$/i;
  const selected = Object.fromEntries(Object.entries(env).filter(([name]) => passed.test(name)));
  return { ...selected, NODE_ENV: "production" };
}

/** A start takes about a second; this is for a worker that hangs, on a disk that does not answer for one. */
const startDeadlineMs = 60_000;
/** Open connections are cut off at the close, so there is nothing to wait for. */
const closeDeadlineMs = 5000;

/** Resolves with the port. `input` is what the worker was started with. */
export function waitUntilListening(
  worker: Worker,
  input: WorkerInput,
  deadlineMs = startDeadlineMs,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(undefined, `it was not up within ${deadlineMs} ms`), deadlineMs);
    const fail = (code: string | undefined, message: string) => {
      clearTimeout(timer);
      void worker.terminate();
      reject(createStartError(code, message, input));
    };
    worker.on("error", (error: NodeJS.ErrnoException) => fail(error.code, error.message));
    worker.once("exit", (code) => fail(undefined, `it ended with code ${code}`));
    worker.on("message", (message: WorkerOutput) => {
      if (message.type === "listening") {
        clearTimeout(timer);
        resolve(message.port);
      }
      if (message.type === "failed") fail(message.code, message.message);
    });
  });
}

function createStartError(
  code: string | undefined,
  message: string,
  { host, port, config }: WorkerInput,
): ToolError {
  if (code === "EADDRINUSE") {
    return new ToolError({
      code: "CODEX_JS_REGISTRY_PORT_TAKEN",
      message: `port ${port} of ${host} is taken by another process`,
      hint: "leave the port out to get a free one, or end what listens there",
      exitCode: exitCodes.external,
    });
  }
  if (code === "EACCES" || code === "ERR_SOCKET_BAD_PORT" || code === "EADDRNOTAVAIL") {
    return new ToolError({
      code: "CODEX_JS_REGISTRY_PORT_UNUSABLE",
      message: `the registry cannot listen on port ${port} of ${host}: ${message}`,
      hint: "leave the port out to get a free one, or choose one from 1024 to 65535",
      exitCode: exitCodes.external,
    });
  }
  return new ToolError({
    code: "CODEX_JS_REGISTRY_START_FAILED",
    message: `the embedded registry did not start: ${message}`,
    hint: `if it starts with an empty folder, remove ${config.storage}`,
    exitCode: exitCodes.external,
  });
}

/** Resolves when the worker is gone, also where it has gone by itself before. */
export async function closeWorker(worker: Worker, exited: Promise<void>): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    worker.on("message", (message: WorkerOutput) => {
      if (message.type === "closed") resolve();
    });
  });
  worker.postMessage("close");
  const deadline = new AbortController();
  const late = sleep(closeDeadlineMs, undefined, { signal: deadline.signal }).catch(() => undefined);
  await Promise.race([closed, exited, late]);
  deadline.abort();
  await worker.terminate();
}
