import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { defaultGithubApi, type NpmOptions, type ReleaseOptions } from "../options.ts";
import { defaultVisibilityTimeoutMs } from "../publish/wait-visible.ts";
import { isSendableUrl } from "../sendable-url.ts";

/** Options that mean something for one target only, by their flag. */
const ofNpm = {
  registry: "--registry",
  githubApi: "--github-api",
  visibilityTimeoutMs: "--visibility-timeout-ms",
  smoke: "--no-smoke",
};
const ofRehearsal = { registryDir: "--registry-dir", port: "--port" };

/**
 * @returns undefined for a rehearsal
 * @throws ToolError CODEX_JS_RELEASE_BAD_TARGET (usage)
 */
export function resolveNpmOptions(options: ReleaseOptions): NpmOptions | undefined {
  const { to, registry, githubApi, visibilityTimeoutMs } = options;
  if (to === undefined) {
    refuse({ ...options, smoke: options.smoke === false || undefined }, ofNpm, "they are for --to npm");
    return undefined;
  }
  if (to !== "npm")
    throw badTarget(`--to ${to} is no target`, "leave --to out for a rehearsal, or say --to npm");
  refuse({ ...options, port: options.port || undefined }, ofRehearsal, "they are for a rehearsal");
  return {
    registryUrl: registry === undefined ? undefined : requireUrl("--registry", registry),
    githubApiUrl: requireUrl("--github-api", githubApi ?? defaultGithubApi).replace(/\/+$/, ""),
    visibilityTimeoutMs: visibilityTimeoutMs ?? defaultVisibilityTimeoutMs,
  };
}

function refuse(options: object, flags: Record<string, string>, why: string): void {
  const given = Object.entries(flags).filter(([name]) => options[name as keyof typeof options] !== undefined);
  if (given.length === 0) return;
  throw badTarget(`${given.map(([, flag]) => flag).join(" and ")}: ${why}`, "see pnpm release --help");
}

/** A token goes there: over the open network only encrypted. */
function requireUrl(flag: string, text: string): string {
  if (isSendableUrl(text)) return new URL(text).href;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  throw badTarget(
    `${flag} ${url === undefined ? text : `${url.protocol}//${url.host}`} cannot be used: expected an https URL without credentials, or http on this machine`,
    "credentials come from the environment or from your npmrc",
  );
}

function badTarget(message: string, hint: string): ToolError {
  return new ToolError({ code: "CODEX_JS_RELEASE_BAD_TARGET", message, hint, exitCode: exitCodes.usage });
}
