import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { ReleaseOptions } from "./options.ts";

/** The options of every command, as commander reads them. */
export interface CommonOptions {
  to?: string;
  registry?: string;
  githubApi?: string;
  visibilityTimeoutMs?: number;
  smoke: boolean;
  out?: string;
  registryDir?: string;
  port: number;
  runtime?: string[];
  dryRun?: boolean;
  json?: boolean;
}

export function readOptions(options: CommonOptions): ReleaseOptions {
  const { to, registry, githubApi, visibilityTimeoutMs, smoke, out, registryDir, port, runtime } = options;
  return {
    port,
    smoke,
    ...(to === undefined ? {} : { to }),
    ...(registry === undefined ? {} : { registry }),
    ...(githubApi === undefined ? {} : { githubApi }),
    ...(visibilityTimeoutMs === undefined ? {} : { visibilityTimeoutMs }),
    ...(out === undefined ? {} : { out }),
    ...(registryDir === undefined ? {} : { registryDir }),
    ...(runtime === undefined ? {} : { runtimes: runtime }),
  };
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new ToolError({
    code: "CODEX_JS_RELEASE_BAD_PORT",
    message: `--port ${text} is no port, expected a number from 0 to 65535`,
    hint: "leave --port out to get a free one",
    exitCode: exitCodes.usage,
  });
}

export function parseMilliseconds(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new ToolError({
    code: "CODEX_JS_RELEASE_BAD_TARGET",
    message: `--visibility-timeout-ms ${text} is no number of milliseconds`,
    hint: "leave it out to wait for half an hour",
    exitCode: exitCodes.usage,
  });
}

/** For an option that may be repeated. */
export function collect(id: string, ids: string[] = []): string[] {
  return [...ids, id];
}
