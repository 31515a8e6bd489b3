import type { CodexOptions, ThreadOptions } from "../options.ts";
import type { TurnRequest } from "../transport.ts";
import { flattenConfig } from "./config-overrides.ts";
import { toToml } from "./toml.ts";

/**
 * The engine's command line for one turn. Later `--config` wins: structured configuration, raw
 * overrides, what the SDK's own options stand for. Images come last: the engine takes everything after
 * `--image` for another image, so nothing positional may follow
 * (https://github.com/openai/codex/issues/10708).
 * @throws CodexError CODEX_JS_SDK_CONFIG_INVALID
 */
export function createExecArguments(
  options: CodexOptions,
  request: TurnRequest,
  outputSchemaFile: string | undefined,
): string[] {
  const { threadOptions: thread, turnOptions: turn, threadId, images } = request;
  return [
    "exec",
    "--experimental-json",
    ...(options.config ? flattenConfig(options.config) : []).flatMap(config),
    ...(options.configOverrides ?? []).flatMap(config),
    ...(options.baseUrl ? config(`openai_base_url=${toToml(options.baseUrl, "openai_base_url")}`) : []),
    ...flag("--model", thread.model || undefined),
    ...flag("--thread-source", threadId ? undefined : thread.threadSource),
    ...flag("--sandbox", thread.sandboxMode || undefined),
    ...flag("--cd", thread.workingDirectory || undefined),
    ...(thread.additionalDirectories ?? []).flatMap((dir) => flag("--add-dir", dir)),
    ...(thread.skipGitRepoCheck ? ["--skip-git-repo-check"] : []),
    ...flag("--output-schema", outputSchemaFile),
    ...flag("--cyber-access-program", turn.cyberAccessProgram),
    ...createThreadConfig(thread).flatMap(config),
    ...(threadId ? ["resume", threadId] : []),
    ...images.flatMap((image) => flag("--image", image)),
  ];
}

function createThreadConfig(thread: ThreadOptions): string[] {
  const { modelReasoningEffort, networkAccessEnabled, approvalPolicy } = thread;
  const webSearch = resolveWebSearch(thread);
  const settings: [string, string | boolean | undefined][] = [
    ["model_reasoning_effort", modelReasoningEffort || undefined],
    ["sandbox_workspace_write.network_access", networkAccessEnabled],
    ["web_search", webSearch],
    ["approval_policy", approvalPolicy || undefined],
  ];
  return settings.flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${toToml(value, key)}`]));
}

function resolveWebSearch({ webSearchMode, webSearchEnabled }: ThreadOptions): string | undefined {
  if (webSearchMode) return webSearchMode;
  if (webSearchEnabled === undefined) return undefined;
  return webSearchEnabled ? "live" : "disabled";
}

function config(setting: string): string[] {
  return flag("--config", setting);
}

/** A value that begins with a dash must be glued to its flag, or the engine takes it for another flag. */
function flag(name: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return value.startsWith("-") ? [`${name}=${value}`] : [name, value];
}
