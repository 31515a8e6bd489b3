import { exitCodes, ToolError } from "@codex-js/cli-kit";
import table from "./runtimes.json" with { type: "json" };

/** `workspace` stands for the version that pnpm-workspace.yaml pins and `pnpm install` has brought. */
type Pinned = string;

export interface NodeRuntimeSpec {
  id: string;
  kind: "node";
  version: Pinned;
  npm: Pinned;
  /** `os-cpu` → the nearest version that npm has for that platform, where it lacks `version`. */
  platformVersions?: Record<string, string>;
}

interface BunRuntimeSpec {
  id: string;
  kind: "bun";
  version: "workspace";
}

export type RuntimeSpec = NodeRuntimeSpec | BunRuntimeSpec;

/** The matrix, from runtimes.json. */
export const runtimeSpecs = table.runtimes as readonly RuntimeSpec[];

/**
 * The specs with these ids in the table's order; all of them without ids.
 * @throws ToolError CODEX_JS_SMOKE_UNKNOWN_RUNTIME (usage)
 */
export function selectRuntimes(ids?: readonly string[]): readonly RuntimeSpec[] {
  if (ids === undefined) return runtimeSpecs;
  const known = runtimeSpecs.map(({ id }) => id);
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length > 0) {
    throw new ToolError({
      code: "CODEX_JS_SMOKE_UNKNOWN_RUNTIME",
      message: `no runtime ${unknown.join(", ")} in the matrix`,
      hint: `use ${known.join(", ")}`,
      exitCode: exitCodes.usage,
    });
  }
  return runtimeSpecs.filter(({ id }) => ids.includes(id));
}
