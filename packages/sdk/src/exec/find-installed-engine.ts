import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { findEngineTarget, type Host, readHost } from "@codex-js/platforms";
import { findEngine } from "@codex-js/platforms/find-engine";
import { CodexError } from "../errors.ts";
import type { CodexOptions } from "../options.ts";

/** An engine and the folders of tools that belong in front of its PATH. */
export interface InstalledEngine {
  executablePath: string;
  pathDirs: string[];
  /** The folder of `@openai/codex`, where the engine is its. */
  packageRoot?: string;
}

/**
 * The engine that the `@openai/codex` package of the module `from` brings. The messages are short on
 * purpose: why an install lacks its engine takes more code to find out than all the rest of this folder,
 * and the `codex` command has it.
 * @throws CodexError CODEX_JS_SDK_ENGINE_NOT_FOUND
 */
export function findInstalledEngine(from: string | URL, host: Host = readHost()): InstalledEngine {
  const target = findEngineTarget(host);
  if (target === undefined) throw notFound(`Unsupported platform: ${host.platform} (${host.arch})`);
  const engine = findEngine(from, host);
  if (engine === undefined) {
    throw notFound(
      "Unable to locate Codex CLI binaries. Ensure @openai/codex is installed with optional dependencies.",
      `the package ${target.package} is missing or damaged: delete node_modules and install again with optional dependencies, on this platform`,
    );
  }
  const layoutDir = dirname(dirname(engine.executablePath));
  // The second is the older layout's.
  const pathDirs = ["codex-path", "path"]
    .map((name) => join(layoutDir, name))
    .filter((dir) => existsSync(dir));
  return { executablePath: engine.executablePath, pathDirs, packageRoot: engine.packageRoot };
}

/**
 * The engine that a client is to use.
 * @throws CodexError CODEX_JS_SDK_ENGINE_NOT_FOUND
 */
export function resolveEngine({ codexPathOverride }: CodexOptions): InstalledEngine {
  return codexPathOverride
    ? { executablePath: codexPathOverride, pathDirs: [] }
    : findInstalledEngine(import.meta.url);
}

function notFound(message: string, hint?: string): CodexError {
  return new CodexError("CODEX_JS_SDK_ENGINE_NOT_FOUND", message, { hint });
}
