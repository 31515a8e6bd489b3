import { runProcess } from "@codex-js/cli-kit";
import { findWorkspaceTools } from "@codex-js/smoke";
import { createChildEnv } from "./child-env.ts";
import type { Versions } from "./document/types.ts";
import { findEngine } from "./engine/find-engine.ts";
import type { ScenarioContext } from "./scenario.ts";

type World = Pick<ScenarioContext, "env" | "signal" | "root">;

export async function readVersions(world: World): Promise<Versions> {
  return {
    node: process.versions.node,
    bun: readIfPresent(() => findWorkspaceTools(process.platform).bun.version),
    engine: readIfPresent(() => findEngine().version),
    commit: (await git(["rev-parse", "HEAD"], world)) ?? null,
    dirty: (await git(["status", "--porcelain"], world)) !== "",
  };
}

/** Not every scenario needs everything; the ones that do say themselves what is missing. */
function readIfPresent(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** Undefined outside of a git work tree, or without git. */
async function git(args: string[], { env, signal, root }: World): Promise<string | undefined> {
  try {
    const { stdout } = await runProcess("git", args, { cwd: root, env: createChildEnv(env), signal });
    return stdout.trim();
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
