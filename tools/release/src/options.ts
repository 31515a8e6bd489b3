import { resolve } from "node:path";
import { type CliContext, exitCodes, findWorkspaceRoot, ToolError } from "@codex-js/cli-kit";
import { runtimeSpecs } from "@codex-js/smoke";
import { type ReleaseLayout, resolveLayout } from "./layout.ts";

/** What every command of the release takes. */
export interface ReleaseOptions {
  /** Relative to the working directory; default `.release` in the repository's root. */
  out?: string;
  /** Where the rehearsal's registry and its caches stay; default a temp folder, or the out dir for one step. */
  registryDir?: string;
  /** Of the rehearsal's registry; 0 for a free one. */
  port: number;
  /** Ids of the smoke matrix; all of it without. */
  runtimes?: readonly string[];
}

/**
 * @throws ToolError CODEX_JS_RELEASE_UNKNOWN_RUNTIME (usage): now, and not after minutes of building
 */
export function resolveOptions(context: CliContext, options: ReleaseOptions): ReleaseLayout {
  requireKnownRuntimes(options.runtimes ?? []);
  const root = findWorkspaceRoot(context.cwd);
  return resolveLayout(root, resolve(context.cwd, options.out ?? resolve(root, ".release")));
}

function requireKnownRuntimes(ids: readonly string[]): void {
  const known = runtimeSpecs.map(({ id }) => id);
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length === 0) return;
  throw new ToolError({
    code: "CODEX_JS_RELEASE_UNKNOWN_RUNTIME",
    message: `the smoke matrix has no runtime ${unknown.join(", ")}`,
    hint: `--runtime takes ${known.join(", ")}`,
    exitCode: exitCodes.usage,
  });
}
