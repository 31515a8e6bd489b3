import type { EngineCommand } from "./engine-command.ts";

/**
 * Turns this process into the engine, where the system and the runtime can: no process in between, so
 * terminal, signals and exit status are the engine's own. Returns only where that is not possible.
 */
export function replaceProcess({ executablePath, args, env }: EngineCommand): void {
  // Node has the function on Windows too, where calling it is an error.
  if (process.platform === "win32" || typeof process.execve !== "function") return;
  // Node ignores these two, and what is ignored stays so across execve. A handler does not: with it the
  // engine, and all that it starts, begins with the system's defaults, as it would from a shell.
  process.on("SIGPIPE", ignore).on("SIGXFSZ", ignore);
  try {
    process.execve(executablePath, [executablePath, ...args], env);
  } catch {
    // Forbidden here, or failed without harm: a child process either works or says why not. What must not
    // come between is the runtime's warning that the function is experimental.
    process.off("SIGPIPE", ignore).off("SIGXFSZ", ignore).removeAllListeners("warning");
  }
}

function ignore(): void {}
