import { runProcess } from "@codex-js/cli-kit";
import { createChildEnv } from "./child-env.ts";
import type { Versions } from "./document/types.ts";
import { findEngine } from "./engine/find-engine.ts";
import { askVersion, findBun } from "./runtimes.ts";
import type { ScenarioContext } from "./scenario.ts";

type World = Pick<ScenarioContext, "env" | "signal" | "root">;

export async function readVersions(world: World): Promise<Versions> {
  const bun = findBun();
  return {
    node: process.versions.node,
    bun: bun === undefined ? null : await askVersion(bun, world),
    engine: readEngineVersion(),
    commit: (await git(["rev-parse", "HEAD"], world)) ?? null,
    dirty: (await git(["status", "--porcelain"], world)) !== "",
  };
}

function readEngineVersion(): string | null {
  try {
    return findEngine().version;
  } catch {
    // Not every scenario needs an engine; the ones that do say themselves that it is missing.
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
