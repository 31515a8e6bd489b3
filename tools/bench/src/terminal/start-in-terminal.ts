import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { keepGroup, killGroup } from "../processes/process-groups.ts";
import type { StartOptions } from "../processes/start-process.ts";
import { createTerminalReplies } from "./terminal-replies.ts";

export interface TerminalProcess {
  pid: number;
  /** Resolves with how it ended; never rejects. */
  ended: Promise<string>;
  /** The last of what it wrote to its terminal, control sequences included. */
  readOutput(): string;
  /** Called whenever it wrote something. */
  onOutput(listener: () => void): void;
  stop(): Promise<void>;
}

const keptOutputChars = 200_000;
const size = { cols: 120, rows: 40 };

/**
 * Starts a program in a pseudo-terminal of its own, which answers what terminals are asked.
 * @throws ToolError CODEX_JS_BENCH_NO_TERMINAL (external) where node-pty has no binary for this platform
 */
export async function startInTerminal(
  file: string,
  args: readonly string[],
  { cwd, env }: StartOptions,
): Promise<TerminalProcess> {
  const { spawn } = await loadPty();
  const name = "xterm-256color";
  const pty = spawn(file, [...args], {
    ...size,
    name,
    cwd,
    env: { ...env, TERM: name, COLORTERM: "truecolor" },
  });
  const release = keepGroup(pty.pid);
  const listeners = new Set<() => void>();
  let output = "";
  const answer = createTerminalReplies((reply) => pty.write(reply));
  pty.onData((chunk) => {
    output = (output + chunk).slice(-keptOutputChars);
    answer(chunk);
    for (const listener of listeners) listener();
  });
  const ended = new Promise<string>((resolve) => {
    pty.onExit(({ exitCode, signal }) =>
      resolve(signal ? `was ended by signal ${signal}` : `exited with code ${exitCode}`),
    );
  });
  const stop = async () => {
    await killGroup(pty.pid, ended);
    release();
  };
  return {
    pid: pty.pid,
    ended,
    readOutput: () => output,
    onOutput: (listener) => listeners.add(listener),
    stop,
  };
}

/** Only when it is needed: the other scenarios run on platforms that it has no binary for. */
async function loadPty(): Promise<typeof import("@lydell/node-pty")> {
  try {
    return await import("@lydell/node-pty");
  } catch (cause) {
    throw new ToolError({
      code: "CODEX_JS_BENCH_NO_TERMINAL",
      message: `node-pty cannot be loaded on ${process.platform}-${process.arch}`,
      hint: "use a Linux with glibc",
      exitCode: exitCodes.external,
      cause,
    });
  }
}
