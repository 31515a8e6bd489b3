import { type Command, CommanderError } from "commander";
import { type CliContext, createProcessContext } from "./context.ts";
import { exitCodes, formatError, ToolError } from "./errors.ts";

/** Builds the whole command surface of one tool; help comes from this definition alone. */
export type CliDefinition = (context: CliContext) => Command;

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs a tool's command line and sets `process.exitCode`: 0, or what a ToolError says, or 2 for a wrong
 * command line, or 128 + n after signal n. The first signal aborts `context.signal` and waits for the
 * command to clean up; the second ends the process at once.
 */
export async function runCli(
  define: CliDefinition,
  argv: readonly string[] = process.argv.slice(2),
): Promise<void> {
  const abort = new AbortController();
  let stoppedBy: (typeof stopSignals)[number] | undefined;
  for (const signal of stopSignals) {
    process.on(signal, () => {
      if (stoppedBy !== undefined) process.exit(signalExitCode(stoppedBy));
      stoppedBy = signal;
      abort.abort(
        new ToolError({
          code: "CODEX_JS_CLI_INTERRUPTED",
          message: `stopped by ${signal}`,
          exitCode: exitCodes.external,
        }),
      );
    });
  }
  const context = createProcessContext(abort.signal);
  const exitCode = await runWithContext(define, context, argv);
  process.exitCode = stoppedBy === undefined ? exitCode : signalExitCode(stoppedBy);
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
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    context.stderr.write(`${formatError(error)}\n`);
    return error instanceof ToolError ? error.exitCode : exitCodes.external;
  }
}

function prepare(command: Command, context: CliContext): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => void context.stdout.write(text),
    writeErr: (text) => void context.stderr.write(text),
    getOutHelpWidth: () => context.stdout.columns ?? 100,
    getErrHelpWidth: () => context.stderr.columns ?? 100,
  });
  command.showSuggestionAfterError().showHelpAfterError("(add --help for the options)");
  for (const child of command.commands) prepare(child, context);
}

function signalExitCode(signal: (typeof stopSignals)[number]): number {
  return 128 + { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }[signal];
}
