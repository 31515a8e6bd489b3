import { resolve } from "node:path";
import { listThreadSettings } from "../../exec/arguments.ts";
import type { ThreadOptions, TurnOptions } from "../../options.ts";
import type { TurnRequest } from "../../transport.ts";
import type { MethodParams, MethodResult } from "../protocol.ts";
import { listProjectDirs } from "./git-repository.ts";

/** What `thread/start` and `thread/resume` have in common. */
export type ThreadSettings = Pick<
  MethodParams<"thread/start">,
  "model" | "modelProvider" | "approvalPolicy" | "config"
> & { cwd?: string; runtimeWorkspaceRoots?: string[] };

/** The parts of the engine's configuration that exec passes on with a thread. */
export type EngineConfig = Pick<
  MethodResult<"config/read">["config"],
  "model" | "model_provider" | "sandbox_mode" | "sandbox_workspace_write"
> & { projects?: unknown };

/**
 * A thread's options as the protocol takes them. Nobody can be asked, as under exec, which therefore
 * sets the approval policy to `never` whatever it is told; the option only has to be one that the engine
 * accepts.
 */
export function createThreadSettings(
  options: ThreadOptions,
  hostDir: string | null = process.cwd(),
): ThreadSettings {
  const { model, sandboxMode, workingDirectory, additionalDirectories = [] } = options;
  // Another machine's paths are not resolved here, and its server has a folder of its own.
  const cwd = hostDir === null ? workingDirectory : resolve(hostDir, workingDirectory || ".");
  const toPath = (dir: string) => (cwd === undefined || hostDir === null ? dir : resolve(cwd, dir));
  const config = {
    ...Object.fromEntries(listThreadSettings(options)),
    ...(sandboxMode ? { sandbox_mode: sandboxMode } : {}),
  };
  return {
    ...(model ? { model } : {}),
    ...(cwd === undefined ? {} : { cwd }),
    approvalPolicy: "never",
    ...(Object.keys(config).length > 0 ? { config } : {}),
    ...(additionalDirectories.length > 0
      ? { runtimeWorkspaceRoots: [...(cwd === undefined ? [] : [cwd]), ...additionalDirectories.map(toPath)] }
      : {}),
  };
}

/**
 * Keeps the engine from writing the folder into config.toml as trusted, as it does when a thread that may
 * write starts in a folder that it has not been told about. Exec does not do that, and it would let the
 * folder's own configuration in from then on.
 */
export function leaveUntrusted(settings: ThreadSettings, config: EngineConfig): ThreadSettings {
  const sandbox = settings.config?.sandbox_mode ?? config.sandbox_mode ?? "read-only";
  const dirs = settings.cwd === undefined ? [] : listProjectDirs(settings.cwd);
  const projects = (config.projects ?? {}) as Record<string, { trust_level?: string } | undefined>;
  if (sandbox === "read-only" || dirs.some((dir) => projects[dir]?.trust_level)) return settings;
  const untrusted = Object.fromEntries(dirs.map((dir) => [dir, { trust_level: "untrusted" }]));
  return { ...settings, config: { ...settings.config, projects: untrusted } };
}

/** Adds the configuration's directories to those of the options, which would take their place. */
export function addConfiguredRoots(settings: ThreadSettings, config: EngineConfig): ThreadSettings {
  const configured = config.sandbox_workspace_write?.writable_roots ?? [];
  const roots = settings.runtimeWorkspaceRoots;
  if (roots === undefined) return settings;
  return { ...settings, runtimeWorkspaceRoots: [...new Set([...roots, ...configured])] };
}

/**
 * Names the model that the configuration has. Left alone, the engine would go on with the model and
 * effort that the thread had last; exec takes them from the configuration of the day.
 */
export function nameConfiguredModel(settings: ThreadSettings, config: EngineConfig): ThreadSettings {
  const model = settings.model ?? config.model;
  return { ...settings, ...(model ? { model } : {}), modelProvider: config.model_provider ?? "openai" };
}

/** Programs of the protocol by their names in the SDK, which are those of exec's command line. */
const cyberAccessPrograms = {
  standard: "standard",
  daybreak_blue: "daybreakBlue",
  daybreak_red: "daybreakRed",
} as const satisfies Record<NonNullable<TurnOptions["cyberAccessProgram"]>, string>;

/** Images go before the text, as exec sends them. */
export function createTurnParams(threadId: string, request: TurnRequest): MethodParams<"turn/start"> {
  const { prompt, images, turnOptions } = request;
  const { outputSchema, cyberAccessProgram } = turnOptions;
  const experimental =
    cyberAccessProgram === undefined ? {} : { cyberAccessProgram: cyberAccessPrograms[cyberAccessProgram] };
  return {
    threadId,
    turnTrigger: "exec",
    input: [
      ...images.map((path) => ({ type: "localImage" as const, path: resolve(path) })),
      { type: "text" as const, text: prompt, text_elements: [] },
    ],
    ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as never }),
    ...experimental,
  };
}
