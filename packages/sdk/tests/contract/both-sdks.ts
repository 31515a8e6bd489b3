import { createFakeEngine, type FakeEngineCall, type FakeEngineStep } from "@codex-js/testkit/fake-engine";
import * as official from "@openai/codex-sdk";
import * as ours from "../../src/index.ts";
import { markerVariable } from "../../src/process-tree.ts";

/** One use of an SDK, in types that both have. */
export interface ContractCase {
  codex?: official.CodexOptions;
  thread?: official.ThreadOptions;
  turn?: official.TurnOptions;
  /** The thread to resume; without it a new one is started. */
  resume?: string;
  input?: official.Input;
  /** What the engine does. */
  engine: FakeEngineStep[];
}

/** Everything that a program can see of a turn, and what the engine was given. */
export interface Outcome {
  threadId: string | null;
  events: unknown[];
  error: { name: string; message: string; code?: unknown; cause?: string } | undefined;
  calls: Pick<FakeEngineCall, "argv" | "env" | "stdin">[];
}

/** What the two SDKs have in common; the constructors take what the official one takes. */
interface SdkThread {
  readonly id: string | null;
  run(input: official.Input, turn?: official.TurnOptions): Promise<{ items: unknown[] }>;
  runStreamed(
    input: official.Input,
    turn?: official.TurnOptions,
  ): Promise<{ events: AsyncIterable<{ type: string }> }>;
}
interface Sdk {
  Codex: new (
    options?: official.CodexOptions,
  ) => {
    startThread(options?: official.ThreadOptions): SdkThread;
    resumeThread(id: string, options?: official.ThreadOptions): SdkThread;
  };
}

export const sdks: Record<"official" | "ours", Sdk> = { official, ours };

/** Runs a case by `runStreamed()`. */
export function streamCase(sdk: Sdk, contract: ContractCase, onEvent = () => {}): Promise<Outcome> {
  return withEngine(sdk, contract, async (thread, events) => {
    const turn = await thread.runStreamed(contract.input ?? "hello", contract.turn);
    for await (const event of turn.events) {
      events.push(event);
      onEvent();
    }
  });
}

/** Runs a case by `run()`; its result is the only event. */
export function runCase(sdk: Sdk, contract: ContractCase): Promise<Outcome> {
  return withEngine(sdk, contract, async (thread, events) => {
    events.push(await thread.run(contract.input ?? "hello", contract.turn));
  });
}

async function withEngine(
  { Codex }: Sdk,
  { codex, thread: options, resume, engine: exec }: ContractCase,
  use: (thread: SdkThread, events: unknown[]) => Promise<void>,
): Promise<Outcome> {
  await using engine = await createFakeEngine({ exec });
  // The official SDK knows no other transport, and no such option.
  const transport = { transport: "exec" };
  const client = new Codex({ codexPathOverride: engine.executablePath, ...codex, ...transport });
  const thread = resume === undefined ? client.startThread(options) : client.resumeThread(resume, options);
  const events: unknown[] = [];
  const error = await use(thread, events).then(() => undefined, describeError);
  // The marker by which what a killed program leaves is found is all that is added.
  const calls = (await engine.calls()).map(({ argv, env: { [markerVariable]: _, ...env }, stdin }) => ({
    argv: argv.map((arg) => arg.replace(/^.*codex-output-schema-[^/\\]*/, "TEMP")),
    env,
    stdin,
  }));
  return { threadId: thread.id, events, error, calls };
}

function describeError(error: unknown): NonNullable<Outcome["error"]> {
  const { name, message, code, cause } = error as Error & { code?: unknown };
  return { name, message, code, ...(cause === undefined ? {} : { cause: String(cause) }) };
}
