import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isWholeProgram } from "./check-program.ts";
import { diagnoseEngine } from "./diagnose-engine.ts";
import { readVersion } from "./engine-files.ts";
import { findEngine } from "./find-engine.ts";
import { type Host, readHost } from "./targets.ts";

export interface EngineLocation {
  /** Absolute path of the native binary. */
  executablePath: string;
  /** Absolute, existing folders to put in front of PATH: the tools that come with the engine. */
  pathDirs: string[];
  /** Real path of the `@openai/codex` package. */
  packageRoot: string;
  /** Rust target of the binary. */
  triple: string;
  /** The engine's version, as the binary's package states it. */
  version: string;
}

/**
 * Finds the engine that `from` (the asking module's `import.meta.url`) depends on.
 * @throws EngineNotFoundError naming which of the known causes it is
 */
export function locateEngine(from: string | URL, host: Host = readHost()): EngineLocation {
  const engine = findEngine(from, host, isWholeProgram);
  if (engine === undefined) throw diagnoseEngine(from, host);
  const binaryDir = dirname(engine.executablePath);
  const layoutDir = dirname(binaryDir);
  // The older layout has the binary in `codex/` and its tools in `path/`.
  const toolsDir = join(layoutDir, basename(binaryDir) === "bin" ? "codex-path" : "path");
  return {
    ...engine,
    pathDirs: isDirectory(toolsDir) ? [toolsDir] : [],
    version:
      readVersion(join(layoutDir, "codex-package.json")) ??
      readVersion(join(engine.packageRoot, "package.json")) ??
      "unknown",
  };
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
