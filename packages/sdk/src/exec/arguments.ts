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
  const { threadOptions: thread, turnOptions: turn, images } = request;
  const threadId = request.thread.id;
  return [
    "exec",
    "--experimental-json",
    ...createClientConfig(options),
    ...flag("--model", thread.model || undefined),
    ...flag("--thread-source", threadId ? undefined : thread.threadSource),
    ...flag("--sandbox", thread.sandboxMode || undefined),
    ...flag("--cd", thread.workingDirectory || undefined),
    ...(thread.additionalDirectories ?? []).flatMap((dir) => flag("--add-dir", dir)),
    ...(thread.skipGitRepoCheck ? ["--skip-git-repo-check"] : []),
    ...flag("--output-schema", outputSchemaFile),
    ...flag("--cyber-access-program", turn.cyberAccessProgram),
    ...listThreadSettings(thread).flatMap(([key, value]) => config(`${key}=${toToml(value, key)}`)),
    ...(threadId ? ["resume", threadId] : []),
    ...images.flatMap((image) => flag("--image", image)),
  ];
}

/**
 * The `--config` flags that a client's options stand for.
 * @throws CodexError CODEX_JS_SDK_CONFIG_INVALID
 */
export function createClientConfig(options: CodexOptions): string[] {
  return [
    ...(options.config ? flattenConfig(options.config) : []),
    ...(options.configOverrides ?? []),
    ...(options.baseUrl ? [`openai_base_url=${toToml(options.baseUrl, "openai_base_url")}`] : []),
  ].flatMap(config);
}

/** What a thread's options set in the engine's configuration. */
export function listThreadSettings(thread: ThreadOptions): [key: string, value: string | boolean][] {
  const settings: [string, string | boolean | undefined][] = [
    ["model_reasoning_effort", thread.modelReasoningEffort || undefined],
    ["sandbox_workspace_write.network_access", thread.networkAccessEnabled],
    ["web_search", resolveWebSearch(thread)],
    ["approval_policy", thread.approvalPolicy || undefined],
  ];
  return settings.filter((setting): setting is [string, string | boolean] => setting[1] !== undefined);
}

function resolveWebSearch({ webSearchMode, webSearchEnabled }: ThreadOptions): string | undefined {
  if (webSearchMode) return webSearchMode;
  if (webSearchEnabled === undefined) return undefined;
  return webSearchEnabled ? "live" : "disabled";
}

export function config(setting: string): string[] {
  return flag("--config", setting);
}

/** A value that begins with a dash must be glued to its flag, or the engine takes it for another flag. */
function flag(name: string, value: string | undefined): string[] {
  if (value === undefined) return [];
  return value.startsWith("-") ? [`${name}=${value}`] : [name, value];
}
