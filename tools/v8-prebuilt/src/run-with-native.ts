import { join } from "node:path";
import { type CliContext, findWorkspaceRoot, runProcess } from "@codex-js/cli-kit";
import { createEventView } from "./fetch/show-events.ts";
import { describeNativeInputs } from "./native-inputs.ts";
import { v8Error } from "./v8-error.ts";

/**
 * Runs a command with what describes the native build in its environment, and says in one line when there will be
 * none. The command's own output comes as it is.
 * @throws ToolError CODEX_JS_V8_COMMAND_FAILED (check failed), and those of `describeNativeInputs`
 */
export async function runWithNative(
  [program, ...args]: readonly string[],
  { strict }: { strict?: true },
  context: CliContext,
): Promise<void> {
  const crateDir = join(findWorkspaceRoot(context.cwd), "packages", "mod-runner", "native");
  const inputs = await describeNativeInputs({
    context,
    crateDir,
    onEvent: createEventView(context),
    ...(strict === undefined ? {} : { strict }),
  });
  if (inputs.skipped !== undefined) context.stderr.write(`${inputs.skipped}\n`);
  const { exitCode, signal } = await runProcess(program!, args, {
    cwd: context.cwd,
    env: { ...withColour(context), ...inputs.env },
    signal: context.signal,
    onLine: (line) => void context.stdout.write(`${line}\n`),
    okExitCodes: "any",
  });
  if (exitCode === 0) return;
  throw v8Error(
    "CODEX_JS_V8_COMMAND_FAILED",
    `${[program, ...args].join(" ")} ${exitCode === null ? `was ended by ${signal}` : `exited with code ${exitCode}`}`,
  );
}

/** The command writes into a pipe; where that ends at a terminal, it may use colours all the same. */
function withColour({ env, stdout }: CliContext): NodeJS.ProcessEnv {
  const isDecided = env.NO_COLOR !== undefined || env.FORCE_COLOR !== undefined;
  return stdout.isTTY === true && !isDecided ? { ...env, FORCE_COLOR: "1" } : env;
}
