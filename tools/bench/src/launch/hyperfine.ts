import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { exitCodes, runProcess, ToolError, withTempDir } from "@codex-js/cli-kit";
import { createChildEnv } from "../child-env.ts";
import type { ScenarioContext } from "../scenario.ts";

export interface HyperfineCommand {
  name: string;
  /** Program and arguments. */
  argv: readonly string[];
}

export interface HyperfineRun {
  /** As hyperfine exported it, unchanged. */
  exported: unknown;
  /** Seconds, by the names of the commands, in the order in which they were taken. */
  times: { name: string; seconds: number[] }[];
}

type World = Pick<ScenarioContext, "env" | "signal" | "root">;

/** @throws ToolError CODEX_JS_BENCH_NO_HYPERFINE (external) */
export async function askHyperfineVersion(world: World): Promise<string> {
  try {
    const { stdout } = await runProcess("hyperfine", ["--version"], toRunOptions(world));
    return stdout.trim();
  } catch (cause) {
    world.signal.throwIfAborted();
    throw new ToolError({
      code: "CODEX_JS_BENCH_NO_HYPERFINE",
      message: "hyperfine is not on PATH",
      hint: "apt-get install hyperfine, brew install hyperfine, or winget install hyperfine",
      exitCode: exitCodes.external,
      cause,
    });
  }
}

/** Times the commands one after the other, started directly and not through a shell. */
export function timeCommands(
  commands: readonly HyperfineCommand[],
  { warmups, runs }: { warmups: number; runs: number },
  world: World,
): Promise<HyperfineRun> {
  return withTempDir("codex-js-hyperfine", async (dir) => {
    const file = join(dir, "times.json");
    const flags = ["--shell=none", "--style=none", "--warmup", String(warmups), "--runs", String(runs)];
    const named = commands.flatMap(({ name, argv }) => ["--command-name", name, argv.map(quote).join(" ")]);
    await runProcess("hyperfine", [...flags, "--export-json", file, ...named], toRunOptions(world));
    const exported = JSON.parse(await readFile(file, "utf8")) as { results: { times: number[] }[] };
    const times = commands.map(({ name }, index) => ({ name, seconds: exported.results[index]!.times }));
    return { exported, times };
  });
}

/** hyperfine takes a command as one text and splits it as a POSIX shell would. */
export function quote(argument: string): string {
  return /^[\w./:=@-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

function toRunOptions({ env, signal, root }: World) {
  return { cwd: root, env: createChildEnv(env), signal };
}
