// Runs on Node and on Bun, in a process of its own: drives the built SDK as argv says, prints JSON.
import { existsSync, writeFileSync } from "node:fs";

/** What to do, as JSON in argv. */
export interface Drive {
  /** URL of the SDK's built module. */
  sdk: string;
  codexPathOverride?: string;
  transport: "app-server" | "exec";
  /** Threads of one client, each with its turns. */
  turns: DriveTurn[];
}

export interface DriveTurn {
  /** Goes on with the thread of the turn before. Default: a new thread. */
  again?: boolean;
  how: "run" | "stream";
  input: string | { repeat: string; times: number } | import("../../src/index.ts").UserInput[];
  outputSchema?: unknown;
  /** Aborts the signal before the turn, at the first event of that type, or when that file is there. */
  abort?: "before" | { onEvent: string } | { onFile: string };
  /** Leaves the loop at the first event of that type. */
  breakOnEvent?: string;
  /** Ends the process by `process.exit()` when that file is there. */
  exitOnFile?: string;
  /** Written when the turn has come back. */
  thenWrite?: string;
}

export interface DriveResult {
  threadId: string | null;
  /** `run()`'s result, or the events. */
  result: unknown;
  error?: { name: string; code: string; message: string; hint?: string; cause?: string };
}

const drive: Drive = JSON.parse(process.argv[2] ?? "");
const { Codex }: typeof import("../../src/index.ts") = await import(drive.sdk);

const { codexPathOverride, transport } = drive;
// It is not closed, on purpose: a program that forgets to has to end all the same.
const codex = new Codex({
  apiKey: "sk-secret",
  transport,
  ...(codexPathOverride === undefined ? {} : { codexPathOverride }),
});
const options = { skipGitRepoCheck: true, sandboxMode: "danger-full-access" as const };
let thread = codex.startThread(options);
const results: DriveResult[] = [];
for (const turn of drive.turns) {
  if (!turn.again) thread = codex.startThread(options);
  results.push(await runTurn(turn));
  if (turn.thenWrite !== undefined) writeFileSync(turn.thenWrite, "");
}
process.stdout.write(JSON.stringify(results));

async function runTurn(turn: DriveTurn): Promise<DriveResult> {
  const events: unknown[] = [];
  try {
    const result = await take(turn, events);
    return { threadId: thread.id, result };
  } catch (error) {
    const { name, code, message, hint, cause } = error as Error & { code: string; hint?: string };
    const described = { name, code, message, hint, cause: cause === undefined ? undefined : String(cause) };
    return { threadId: thread.id, result: events, error: JSON.parse(JSON.stringify(described)) };
  }
}

async function take(turn: DriveTurn, events: unknown[]): Promise<unknown> {
  const abort = new AbortController();
  const stop = () => abort.abort(new Error("enough"));
  if (turn.abort === "before") stop();
  else if (turn.abort !== undefined && "onFile" in turn.abort) whenThere(turn.abort.onFile, stop);
  if (turn.exitOnFile !== undefined) whenThere(turn.exitOnFile, () => process.exit(0));

  const input =
    typeof turn.input === "object" && "repeat" in turn.input
      ? turn.input.repeat.repeat(turn.input.times)
      : turn.input;
  const turnOptions = { signal: abort.signal, outputSchema: turn.outputSchema };
  if (turn.how === "run") return thread.run(input, turnOptions);
  for await (const event of (await thread.runStreamed(input, turnOptions)).events) {
    events.push(event);
    if (event.type === turn.breakOnEvent) break;
    if (typeof turn.abort === "object" && "onEvent" in turn.abort && event.type === turn.abort.onEvent)
      stop();
  }
  return events;
}

function whenThere(file: string, then: () => void): void {
  const timer = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(timer);
    then();
  }, 10);
}
