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

/** Resolves with the port. `input` is what the worker was started with. */
export function waitUntilListening(worker: Worker, input: WorkerInput): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (code: string | undefined, message: string) => {
      void worker.terminate();
      reject(createStartError(code, message, input));
    };
    worker.on("error", (error: NodeJS.ErrnoException) => fail(error.code, error.message));
    worker.once("exit", (code) => fail(undefined, `it ended with code ${code}`));
    worker.on("message", (message: WorkerOutput) => {
      if (message.type === "listening") resolve(message.port);
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
  await Promise.race([closed, exited]);
  await worker.terminate();
}
