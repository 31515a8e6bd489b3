import type { ChildProcess } from "node:child_process";
import type { EngineCommand } from "./engine-command.ts";

/** How the engine ended. */
export interface EngineEnd {
  /** Its own, or what a shell reports for an end by `signal`: 128 and the signal's number. */
  exitCode: number;
  /** Null when it exited by itself. */
  signal: NodeJS.Signals | null;
}

/** What a terminal, a service manager or a shell sends to end a program, or to talk to it. */
const forwardedSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
/** Windows delivers these to every process of the console by itself; "sending" one there would be a kill. */
const windowsConsoleEvents = ["SIGINT", "SIGBREAK", "SIGHUP"] as const;

/**
 * Runs the engine as a child on this process's own stdin, stdout and stderr, passes signals on to it until
 * it has ended, and says how it ended. All handlers are gone by then, so that a signal raised again takes
 * effect. Rejects when the engine cannot be started.
 */
export async function spawnEngine({ executablePath, args, env }: EngineCommand): Promise<EngineEnd> {
  // Loaded here: where the process is replaced, nobody pays for them.
  const [{ spawn }, { constants }] = await Promise.all([import("node:child_process"), import("node:os")]);
  let child: ChildProcess | undefined;
  // Before the spawn: the engine runs as soon as it exists, and a signal sent then has to reach it instead of
  // ending this process and leaving the engine behind. Handlers run after this turn, when there is a child.
  const stopListening = listenToSignals((signal) => void child?.kill(signal));
  try {
    child = spawn(executablePath, args, { stdio: "inherit", env });
    return await readEnd(child, constants.signals);
  } finally {
    stopListening();
  }
}

function readEnd(child: ChildProcess, signalNumbers: Record<NodeJS.Signals, number>): Promise<EngineEnd> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) =>
      resolve({ exitCode: signal === null ? (code ?? 1) : 128 + signalNumbers[signal], signal }),
    );
  });
}

/** Returns the function that takes the handlers away again. */
function listenToSignals(forward: (signal: NodeJS.Signals) => void): () => void {
  const isWindows = process.platform === "win32";
  const signals = isWindows ? windowsConsoleEvents : forwardedSignals;
  const handler = isWindows ? () => {} : forward;
  for (const signal of signals) process.on(signal, handler);
  return () => {
    for (const signal of signals) process.off(signal, handler);
  };
}
