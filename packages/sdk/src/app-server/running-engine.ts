import { settlesWithin } from "../exec/wait.ts";
import { recordEngine } from "../orphan-records.ts";
import {
  findEngineProcesses,
  identifyProcess,
  killEngineProcesses,
  killWindowsTree,
  signalSurvivors,
} from "../process-tree.ts";
import type { EngineChild } from "./engine-child.ts";

/** Milliseconds that each step of closing may take until the next one. */
export interface CloseLadder {
  /** After the end of input, which an idle engine answers within some 30 ms. */
  endOfInputMs: number;
  /** After SIGTERM to the process group; then everything the engine has started is killed. */
  terminateMs: number;
}

/** A started engine and what has to be cleared away after it. */
export interface RunningEngine {
  readonly child: EngineChild;
  /** True once this side has begun to end it. */
  readonly isEnding: boolean;
  /**
   * Ends the engine step by step and then whatever it has left behind: MCP servers that ignore SIGTERM
   * (openai/codex#30408, #18881), commands in sessions of their own (#21994). Resolves when nothing is left.
   */
  end(ladder: CloseLadder): Promise<void>;
}

export function watchEngine(child: EngineChild, recordDir: string): RunningEngine {
  const identity = identifyProcess(child.pid);
  const record = recordEngine(recordDir, identity, child.marker);
  let ending: Promise<void> | undefined;

  const end = async (ladder: CloseLadder): Promise<void> => {
    child.setRef(true);
    // Without sessions to go by, descent is only known while the engine lives.
    const engine = await identity;
    const isListable = engine !== undefined && process.platform !== "linux" && process.platform !== "win32";
    const descendants = isListable ? await findEngineProcesses(engine, child.marker) : [];

    child.stdin.end();
    if (!(await settlesWithin(child.exited, ladder.endOfInputMs))) {
      if (process.platform === "win32") await killWindowsTree(child.pid);
      child.signal("SIGTERM");
      if (!(await settlesWithin(child.exited, ladder.terminateMs))) child.signal("SIGKILL");
    }
    if (engine !== undefined) await killEngineProcesses(engine, child.marker);
    await signalSurvivors(descendants, "SIGKILL");
    await child.exited;
    (await record)();
  };

  return {
    child,
    get isEnding() {
      return ending !== undefined;
    },
    end: (ladder) => {
      ending ??= end(ladder);
      return ending;
    },
  };
}
