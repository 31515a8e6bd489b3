import { type CliContext, exitCodes, runProcess, ToolError } from "@codex-js/cli-kit";

/**
 * Runs the pnpm on PATH.
 * @throws ToolError CODEX_JS_PACK_NO_PNPM (usage) when there is none, CODEX_JS_PROCESS_FAILED (external)
 */
export async function runPnpm(args: readonly string[], cwd: string, context: CliContext): Promise<void> {
  try {
    await runProcess("pnpm", args, { cwd, env: createPnpmEnv(context.env), signal: context.signal });
  } catch (error) {
    if (error instanceof ToolError && errorCode(error.cause) === "ENOENT") throw noPnpmError(error);
    throw error;
  }
}

/**
 * Under `pnpm run` the environment holds this workspace's settings as npm_config_*, npm_package_* and
 * pnpm_config_* variables; a pnpm that packs elsewhere must not take them for its own.
 */
function createPnpmEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^p?npm_/i.test(name));
  return { ...Object.fromEntries(kept), NO_COLOR: "1" };
}

function errorCode(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  return (error as NodeJS.ErrnoException).code ?? errorCode(error.cause);
}

function noPnpmError(cause: ToolError): ToolError {
  return new ToolError({
    code: "CODEX_JS_PACK_NO_PNPM",
    message: "pnpm is not on PATH; packing needs it to resolve catalog: and workspace: ranges",
    hint: "run it through pnpm: npx pnpm run <script>",
    exitCode: exitCodes.usage,
    cause,
  });
}
