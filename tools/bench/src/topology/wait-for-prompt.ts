import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { TerminalProcess } from "../terminal/start-in-terminal.ts";
import { readVisibleText } from "../terminal/visible-text.ts";

/** What the composer shows while it is empty. */
const emptyPrompt = "› Ask Codex to do anything";
/** The TUI tells its terminal what it is doing; this is nothing. */
const idleState = "\x1b]7501;state=idle:app=codex";

const timeoutMs = 60_000;
const shownChars = 600;

/** The TUI has said that it is idle, and shows its empty composer and the resumed thread's name. */
export function isAtPrompt(output: string, threadName: string): boolean {
  const text = readVisibleText(output);
  return output.includes(idleState) && text.includes(emptyPrompt) && text.includes(threadName);
}

/** @throws ToolError CODEX_JS_BENCH_TUI_NOT_READY (external) with the last of the screen's text */
export async function waitForPrompt(
  tui: TerminalProcess,
  threadName: string,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (what: string) =>
    reject(
      new ToolError({
        code: "CODEX_JS_BENCH_TUI_NOT_READY",
        message: `the TUI of ${threadName} ${what}\n${readVisibleText(tui.readOutput()).slice(-shownChars)}`,
        exitCode: exitCodes.external,
      }),
    );
  const look = () => {
    if (isAtPrompt(tui.readOutput(), threadName)) resolve();
  };
  const abort = () => reject(signal.reason);
  const timer = setTimeout(() => fail(`was not at its prompt within ${timeoutMs} ms`), timeoutMs);
  signal.addEventListener("abort", abort, { once: true });
  tui.onOutput(look);
  void tui.ended.then((how) => fail(`${how} before it was at its prompt`));
  look();
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
