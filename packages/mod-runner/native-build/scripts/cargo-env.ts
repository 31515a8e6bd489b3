import { join } from "node:path";
import { pickUserEnv, runNode, withoutScriptPath } from "@codex-js/cli-kit";

/** The Cargo workspace. */
export const crateDir = join(import.meta.dirname, "../../native");

const v8Tool = join(import.meta.dirname, "../../../../tools/v8-prebuilt/src/cli.ts");

/** cargo's whole environment: the user's Rust, and V8 from the cache that all checkouts share. */
export async function createCargoEnv(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const { stdout } = await runNode(v8Tool, ["fetch", "--json"], { cwd: crateDir, env });
  const { targets } = JSON.parse(stdout) as { targets: [{ env: Record<string, string> }] };
  const rust = Object.entries(env).filter(([name]) => /^(CARGO|RUST\w*)(_|$)/.test(name));
  return { ...withoutScriptPath(pickUserEnv(env)), ...Object.fromEntries(rust), ...targets[0].env };
}
