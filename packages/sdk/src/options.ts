import type { SandboxMode, WebSearchMode } from "@codex-js/protocol";
import type { SharedServerBehaviour } from "./app-server/shared/shared-options.ts";
import type { WebSocketOptions } from "./app-server/transport/websocket.ts";
import type { Codex } from "./codex.ts";

export type { SandboxMode, WebSearchMode };

/** A value in the engine's configuration. */
export type CodexConfigValue = string | number | boolean | CodexConfigValue[] | CodexConfigObject;

/** A table in the engine's configuration. */
export type CodexConfigObject = {
  [key: string]: CodexConfigValue;
};

/** What holds for all threads of a {@link Codex}. */
export type CodexOptions = {
  /** The engine's executable. Default: the one that the `@openai/codex` package brings. */
  codexPathOverride?: string;
  /** Base URL of the OpenAI API; the engine's `openai_base_url`. Default: the engine's. */
  baseUrl?: string;
  /** Given to the engine as `CODEX_API_KEY`. Default: the engine's own login. */
  apiKey?: string;
  /**
   * Configuration on top of the engine's `config.toml`, as nested objects: flattened to dotted paths,
   * values written as TOML. `undefined` is skipped; `null`, numbers that are not finite and empty keys
   * are refused when a turn starts. Texts of 9 characters and more do not get into errors where their name has
   * `key`, `token`, `secret`, `password` or `authorization` in it.
   */
  config?: CodexConfigObject;
  /** `key=value` in TOML, passed on as they are; they win over `config`. */
  configOverrides?: Iterable<string>;
  /**
   * The engine's environment. Default: a copy of `process.env`; if given, nothing of `process.env` is
   * passed on.
   */
  env?: Record<string, string>;
  /**
   * - `app-server` (default): one engine that is started with the first turn and stays up
   * - `exec`: one `codex exec` process for each turn, as the official SDK has it
   */
  transport?: "app-server" | "exec";
};

/** What holds for a client of the shared server; see {@link Codex.shared}. */
export type SharedCodexOptions = Omit<CodexOptions, "apiKey" | "transport"> & SharedServerBehaviour;

/** How to join a server that somebody else has started; see {@link Codex.connect}. */
export type ConnectOptions = Omit<WebSocketOptions, "url"> & {
  /** The lowest engine that will do, for example `0.171.0`; default any. */
  minEngineVersion?: string;
};

/**
 * When the engine asks before it acts. `codex exec` cannot ask anybody, so that what would need an
 * approval is refused. Engines drop old values: 0.171 no longer accepts `untrusted`.
 */
export type ApprovalMode = "never" | "on-request" | "on-failure" | "untrusted";

/** How long the model thinks; which of them a model has is the model's affair. */
export type ModelReasoningEffort =
  | "minimal"
  | "low"
  | "medium"
  | "high"
  | "xhigh"
  | "max"
  | "ultra"
  | "persistent";

/** What holds for all turns of a thread. What is left out is up to the engine's configuration. */
export type ThreadOptions = {
  model?: string;
  /** Source classification of the thread; used when it is new, not when it is resumed. */
  threadSource?: string;
  sandboxMode?: SandboxMode;
  /** The agent's working directory. Default: this process's. */
  workingDirectory?: string;
  /** Allows a working directory that is not in a git repository. Default: false. */
  skipGitRepoCheck?: boolean;
  modelReasoningEffort?: ModelReasoningEffort;
  /** Network access of commands in the `workspace-write` sandbox. */
  networkAccessEnabled?: boolean;
  webSearchMode?: WebSearchMode;
  /** `true` stands for `webSearchMode: "live"`, `false` for `"disabled"`; `webSearchMode` wins. */
  webSearchEnabled?: boolean;
  approvalPolicy?: ApprovalMode;
  /** More directories that the agent may write to. */
  additionalDirectories?: string[];
};

/** Experimental selection of cyber treatment, for the built-in OpenAI provider. */
export type CyberAccessProgram = "standard" | "daybreak_blue" | "daybreak_red";

/** What holds for one turn. */
export type TurnOptions = {
  /** Default: what the server chooses. */
  cyberAccessProgram?: CyberAccessProgram;
  /** JSON Schema, a plain object, that the final response has to follow. */
  outputSchema?: unknown;
  /** Ends the turn, the engine and the commands that the engine has started. */
  signal?: AbortSignal;
};
