import { type Command, CommanderError } from "commander";
import { type CliContext, createProcessContext } from "./context.ts";
import { exitCodes, formatError, ToolError } from "./errors.ts";
import { listenToStopSignals } from "./stop-signals.ts";

/** Builds the whole command surface of one tool; help comes from this definition alone. */
export type CliDefinition = (context: CliContext) => Command;

/**
 * Runs a tool's command line and sets `process.exitCode`: 0, or what a ToolError says, or 2 for a wrong
 * command line, or 128 + n after signal n. The first signal aborts `context.signal` and waits for the
 * command to clean up; the second ends the process at once.
 */
export async function runCli(
  define: CliDefinition,
  argv: readonly string[] = process.argv.slice(2),
): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreGoneReader);
  const stop = listenToStopSignals();
  const context = createProcessContext(stop.signal);
  if (context.stderr.isTTY === true) announceStop(context);
  const exitCode = await runWithContext(define, context, argv);
  process.exitCode = stop.exitCode() ?? exitCode;
  // A library's open handle (an idle keep-alive socket) must not hold a finished command.
  setTimeout(() => process.exit(), 2000).unref();
}

/** The testable inside of `runCli`: same errors, same exit codes, no process-wide state. */
export async function runWithContext(
  define: CliDefinition,
  context: CliContext,
  argv: readonly string[],
): Promise<number> {
  const program = define(context);
  prepare(program, context);
  try {
    await program.parseAsync([...argv], { from: "user" });
    // A command may end well all the same: it had only its clean-up left, or takes being stopped for its end.
    return reportStop(context) ?? exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    return reportStop(context, error) ?? reportError(context, error);
  }
}

function reportError({ stderr }: CliContext, error: unknown): number {
  stderr.showLine?.(undefined);
  stderr.write(`${formatError(error)}\n`);
  return error instanceof ToolError ? error.exitCode : exitCodes.external;
}

/**
 * Says that the command was stopped, whatever that has turned into on its way through the code; what else
 * went wrong meanwhile stands below. Undefined for a command that was not.
 */
function reportStop(context: CliContext, error: unknown = undefined): number | undefined {
  const { aborted, reason } = context.signal;
  if (!aborted || !(reason instanceof ToolError)) return undefined;
  const exitCode = reportError(context, reason);
  if (error !== undefined && error !== reason && !isConsequence(error)) {
    context.stderr.write(`while stopping: ${formatError(error)}\n`);
  }
  return exitCode;
}

/** A child that ended with us, or something that says only that it was aborted. */
function isConsequence(error: unknown): boolean {
  if (error instanceof ToolError) return error.code === "CODEX_JS_PROCESS_FAILED";
  return error instanceof Error && error.name === "AbortError";
}

function announceStop({ signal, stderr }: CliContext): void {
  const announce = () => void stderr.write("stopping; once more ends it at once, without cleaning up\n");
  signal.addEventListener("abort", announce, { once: true });
}

/** A closed pipe or terminal: the command goes on, and above all its clean-up does. */
function ignoreGoneReader(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
}

function prepare(command: Command, context: CliContext): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => void context.stdout.write(text),
    writeErr: (text) => void context.stderr.write(text),
    getOutHelpWidth: () => context.stdout.columns || 100,
    getErrHelpWidth: () => context.stderr.columns || 100,
  });
  command.showSuggestionAfterError().showHelpAfterError("(add --help for the options)");
  for (const child of command.commands) prepare(child, context);
}
