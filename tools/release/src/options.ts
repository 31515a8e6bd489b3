import { join } from "node:path";
import { type CliContext, exitCodes, findWorkspaceRoot, resolveUserPath, ToolError } from "@codex-js/cli-kit";
import { runtimeSpecs } from "@codex-js/smoke";
import { type KeptDir, requireOutsideOf } from "./kept-dir.ts";
import { type ReleaseLayout, resolveLayout } from "./layout.ts";
import { resolveNpmOptions } from "./npm/npm-options.ts";

/** What every command of the release takes. */
export interface ReleaseOptions {
  /** `npm` for a real release; a rehearsal without. */
  to?: string;
  /** Of a real release: the registry's URL; default the one that npm is configured with for these packages. */
  registry?: string;
  /** Of a real release: URL of GitHub's REST API; default {@link defaultGithubApi}. */
  githubApi?: string;
  /** Of a real release: how long published packages may take to become visible; default half an hour. */
  visibilityTimeoutMs?: number;
  /** False leaves the smokes, and the announcing after them, to somebody else; default true. */
  smoke?: boolean;
  /** Relative to the working directory; default `.release` in the repository's root. */
  out?: string;
  /** Where the rehearsal's registry and its caches stay; default a temp folder, or the out dir for one step. */
  registryDir?: string;
  /** Of the rehearsal's registry; 0 for a free one. */
  port: number;
  /** Ids of the smoke matrix; all of it without. */
  runtimes?: readonly string[];
}

/** The options with everything checked that can be: now, and not after minutes of building. */
export interface ResolvedOptions {
  layout: ReleaseLayout;
  /** Undefined where the option was left out. */
  registryDir: string | undefined;
  /** Undefined for a rehearsal. */
  npm: NpmOptions | undefined;
}

/** What a release to npm is told. */
export interface NpmOptions {
  /** Undefined for the one that npm is configured with. */
  registryUrl: string | undefined;
  githubApiUrl: string;
  visibilityTimeoutMs: number;
}

export const defaultGithubApi = "https://api.github.com";

/**
 * @throws ToolError CODEX_JS_RELEASE_UNKNOWN_RUNTIME, CODEX_JS_RELEASE_BAD_TARGET, CODEX_JS_CLI_EMPTY_PATH,
 * CODEX_JS_RELEASE_OUT_DIR_UNUSABLE, CODEX_JS_RELEASE_REGISTRY_DIR_UNUSABLE (usage)
 */
export function resolveOptions(context: CliContext, options: ReleaseOptions): ResolvedOptions {
  requireKnownRuntimes(options.runtimes ?? []);
  const root = findWorkspaceRoot(context.cwd);
  const resolveDir = (flag: KeptDir["flag"], text: string) => {
    const path = resolveUserPath(context.cwd, flag, text);
    requireOutsideOf(root, { path, flag });
    return path;
  };
  const { out, registryDir } = options;
  return {
    layout: resolveLayout(root, out === undefined ? join(root, ".release") : resolveDir("--out", out)),
    registryDir: registryDir === undefined ? undefined : resolveDir("--registry-dir", registryDir),
    npm: resolveNpmOptions(options),
  };
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
