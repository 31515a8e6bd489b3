/** A JSON value in which `{ $from: "params.threadId" }` stands for a value of the request being answered. */
export type Template = unknown;

/** One thing the fake engine does; plain data (it is written to a file), built with {@link step}. */
export type FakeEngineStep =
  | { type: "readStdin" }
  | { type: "closeStdin" }
  | { type: "stdout"; base64: string[] }
  | { type: "stderr"; text: string }
  | { type: "closeStdout" }
  | { type: "delay"; ms: number }
  | { type: "waitForFile"; path: string }
  | { type: "waitForTrigger"; name: string }
  | { type: "mark"; name: string }
  | { type: "spawnStubbornChild"; name: string; inheritStdio: boolean }
  | { type: "ignoreSignals"; signals: NodeJS.Signals[] }
  | { type: "linger" }
  | { type: "exit"; code: number }
  | { type: "killSelf"; signal: NodeJS.Signals }
  | { type: "respond"; result: Template }
  | { type: "respondError"; error: Template }
  | { type: "notify"; method: string; params: Template }
  | { type: "request"; id: number | string; method: string; params: Template };

/** Builders of {@link FakeEngineStep}. */
export const step = {
  /** Reads stdin to its end, as the real engine does before its first event. */
  readStdin: (): FakeEngineStep => ({ type: "readStdin" }),
  /** Closes stdin with nothing read: the writer of a large prompt gets EPIPE. */
  closeStdin: (): FakeEngineStep => ({ type: "closeStdin" }),
  /** Writes bytes as they are, every part with a write of its own. */
  stdout: (...parts: (string | Uint8Array)[]): FakeEngineStep => ({
    type: "stdout",
    base64: parts.map((part) => Buffer.from(part).toString("base64")),
  }),
  /** Writes one JSON line. */
  event: (event: object): FakeEngineStep => step.stdout(`${JSON.stringify(event)}\n`),
  stderr: (text: string): FakeEngineStep => ({ type: "stderr", text }),
  /** Ends stdout while the process lives on. */
  closeStdout: (): FakeEngineStep => ({ type: "closeStdout" }),
  delay: (ms: number): FakeEngineStep => ({ type: "delay", ms }),
  /** Goes on when the file is there. */
  waitForFile: (path: string): FakeEngineStep => ({ type: "waitForFile", path }),
  /** Goes on after {@link FakeEngine.trigger} with the same name. */
  waitForTrigger: (name: string): FakeEngineStep => ({ type: "waitForTrigger", name }),
  /** Lets {@link FakeEngine.waitForMark} with the same name go on. */
  mark: (name: string): FakeEngineStep => ({ type: "mark", name }),
  /**
   * Starts a child that ignores TERM, INT and HUP, and goes on once it does. Its pid is
   * {@link FakeEngine.childPid}; with `inheritStdio` it holds the engine's stdout and stderr open.
   */
  spawnStubbornChild: (name: string, options: { inheritStdio?: boolean } = {}): FakeEngineStep => ({
    type: "spawnStubbornChild",
    name,
    inheritStdio: options.inheritStdio ?? false,
  }),
  /** From here on these signals do nothing but get recorded in the call's `signals`. */
  ignoreSignals: (...signals: NodeJS.Signals[]): FakeEngineStep => ({ type: "ignoreSignals", signals }),
  /** Stays alive, doing nothing, until a signal ends it. */
  linger: (): FakeEngineStep => ({ type: "linger" }),
  exit: (code: number): FakeEngineStep => ({ type: "exit", code }),
  killSelf: (signal: NodeJS.Signals): FakeEngineStep => ({ type: "killSelf", signal }),

  /** App-server: answers the request that the rule matched. */
  respond: (result: Template): FakeEngineStep => ({ type: "respond", result }),
  respondError: (error: { code: number; message: string; data?: Template }): FakeEngineStep => ({
    type: "respondError",
    error,
  }),
  /** App-server: sends a notification. */
  notify: (method: string, params: Template): FakeEngineStep => ({ type: "notify", method, params }),
  /** App-server: asks the client; its answer is matched by `on: { answerTo: id }`. */
  request: (id: number | string, method: string, params: Template): FakeEngineStep => ({
    type: "request",
    id,
    method,
    params,
  }),
};

/** What a whole successful `exec` turn prints: one agent message. */
export function createTurnSteps(text: string, threadId = "thread_fake"): FakeEngineStep[] {
  return [
    step.readStdin(),
    step.event({ type: "thread.started", thread_id: threadId }),
    step.event({ type: "turn.started" }),
    step.event({ type: "item.completed", item: { id: "item_0", type: "agent_message", text } }),
    step.event({
      type: "turn.completed",
      usage: { input_tokens: 11, cached_input_tokens: 3, output_tokens: 7, reasoning_output_tokens: 2 },
    }),
  ];
}
