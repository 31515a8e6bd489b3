import { DoctorError, exitCodes } from "./doctor-error.ts";
import { type StartOptions, startProcess } from "./start-process.ts";

interface EngineEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** By `performance.now()`. */
  atMs: number;
}

export interface Notification {
  method: string;
  params: Record<string, unknown>;
}

/** One `codex app-server` on pipes. */
export interface EngineSession {
  pid: number;
  /** Rejects when the engine answers with an error, or ends first. */
  request(method: string, params: unknown): Promise<Record<string, unknown>>;
  notify(method: string): void;
  /** What the engine has to tell, from now on. */
  onNotification(listener: (notification: Notification) => void): void;
  endInput(): void;
  /** Rejects where the engine could not be started. */
  ended: Promise<EngineEnd>;
  /** The last lines of its stderr, without colours. */
  readStderr(): string;
}

/** The engine answered a request with an error. */
export class RefusedError extends Error {}

const shownStderrBytes = 2000;

export function startEngineSession(
  executablePath: string,
  args: readonly string[],
  options: StartOptions,
): EngineSession {
  const child = startProcess(executablePath, args, options);
  const pending = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  const listeners: ((notification: Notification) => void)[] = [];
  let stderr = "";
  let lastId = 0;

  const ended = new Promise<EngineEnd>((resolve, reject) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal, atMs: performance.now() }));
    child.once("error", (cause) => reject(createStartError(executablePath, cause)));
  });
  const failPending = (error: Error) => {
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  ended.then(
    // After stdout has been read to its end, so that an answer written just before is not lost.
    ({ exitCode, signal }) =>
      child.once("close", () =>
        failPending(new Error(`the engine ended (${signal ?? `exit code ${exitCode}`})`)),
      ),
    failPending,
  );
  // The end is what tells; a write to an engine that has gone adds nothing.
  child.stdin.on("error", () => {});
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-shownStderrBytes);
  });

  const write = (message: object) => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const receive = (line: string) => {
    const message = parseMessage(line);
    if (message === undefined) return;
    if (message.method === undefined) {
      const waiting = pending.get(message.id);
      pending.delete(message.id);
      if (message.error === undefined) waiting?.resolve(message.result as never);
      else waiting?.reject(new RefusedError(message.error.message));
    } else if (message.id === undefined) {
      for (const listener of listeners) listener({ method: message.method, params: message.params ?? {} });
    } else {
      // Nobody sits here who could approve something.
      write({ id: message.id, error: { code: -32601, message: "a measurement answers no requests" } });
    }
  };
  readLines(child.stdout, receive);

  return {
    // 0 where the start failed: no process has that pid, and `ended` says why.
    pid: child.pid ?? 0,
    request(method, params) {
      const id = ++lastId;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        write({ id, method, params });
      });
    },
    notify: (method) => write({ method }),
    onNotification: (listener) => void listeners.push(listener),
    endInput: () => void child.stdin.end(),
    ended,
    readStderr: () => stderr.replaceAll(/\u001b\[[0-9;]*m/g, "").trim(),
  };
}

/** Undefined for what is no message: something that the environment loads into the engine may print too. */
function parseMessage(line: string) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Splits on line feeds alone: other separators may stand within a JSON text. */
function readLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      onLine(Buffer.concat([...rest, chunk.subarray(from, at)]).toString("utf8"));
      rest = [];
      from = at + 1;
    }
    rest.push(chunk.subarray(from));
  });
}

function createStartError(executablePath: string, cause: Error): DoctorError {
  const reason = (cause as NodeJS.ErrnoException).code ?? cause.message;
  return new DoctorError({
    code: "CODEX_JS_ENGINE_START_FAILED",
    message: `the engine could not be started (${reason}): ${executablePath}`,
    hint: "run codex --version: it says what is wrong",
    exitCode: exitCodes.external,
    cause,
  });
}
