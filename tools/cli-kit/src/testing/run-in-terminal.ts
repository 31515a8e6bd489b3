import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

/** Runs its arguments on a terminal of their own, between its stdin and stdout; exits as they do, 254 for SIGINT. */
const bridge = `import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])) % 256)`;

/** Why there is no terminal to be had; undefined where there is one. */
export const noTerminalReason =
  spawnSync("python3", ["-c", "import pty"]).status === 0 ? undefined : "needs python3 with its pty module";

export interface TerminalProcess {
  /** What a person would type; `"\x03"` is Ctrl-C. */
  type(keys: string): void;
  /** Resolves once everything printed so far contains `text`; rejects when the program ends before. */
  waitFor(text: string): Promise<void>;
  /** Closes the terminal's window: the program gets SIGHUP and has nowhere to write. */
  close(): void;
  /** Resolves when the program has ended; `exitCode` is null after `close`. */
  ended: Promise<{ exitCode: number | null; output: string }>;
}

/** Starts a program whose stdin, stdout and stderr are one terminal. */
export function startInTerminal(
  command: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): TerminalProcess {
  const child = spawn("python3", ["-c", bridge, ...command], {
    ...options,
    stdio: ["pipe", "pipe", "inherit"],
  });
  // Keys for a program that has ended meanwhile.
  child.stdin.on("error", () => {});
  const screen = readScreen(child.stdout);
  return {
    type: (keys) => void (child.stdin as Writable).write(keys),
    waitFor: screen.waitFor,
    close: () => void child.kill("SIGKILL"),
    ended: once(child, "close").then(([exitCode]) => ({ exitCode, output: screen.output() })),
  };
}

function readScreen(stdout: Readable) {
  let output = "";
  stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
    stdout.emit("screen");
  });
  const waitFor = async (text: string) => {
    while (!output.includes(text)) {
      if (stdout.closed || stdout.readableEnded) {
        throw new Error(`the program ended before it printed ${JSON.stringify(text)}: ${output}`);
      }
      const changed = new AbortController();
      await Promise.race(
        ["screen", "close"].map((event) => once(stdout, event, { signal: changed.signal }).catch(() => {})),
      );
      changed.abort();
    }
  };
  return { output: () => output, waitFor };
}
