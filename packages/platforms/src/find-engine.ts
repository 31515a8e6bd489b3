import { join } from "node:path";
import {
  enginePackage,
  hasExecutableHeader,
  type IsProgram,
  isRunnable,
  isSameEngine,
  listBinaryPaths,
} from "./engine-files.ts";
import { findPackageDir } from "./package-dir.ts";
import { findEngineTarget, type Host, readHost } from "./targets.ts";

export interface EngineFiles {
  /** Absolute path of the native binary. */
  executablePath: string;
  /** Real path of the `@openai/codex` package. */
  packageRoot: string;
  /** Name of the folder below `vendor/`. */
  triple: string;
}

/**
 * Finds the engine and nothing else: no reason comes with `undefined`. That keeps a start that succeeds
 * short; `diagnoseEngine` looks again, at its leisure, when one does not.
 * @param isProgram the default tells programs from other files; `isWholeProgram` of check-program.ts also
 * looks at what they are for and whether all of them is there, and is four times as much code
 */
export function findEngine(
  from: string | URL,
  host: Host = readHost(),
  isProgram: IsProgram = hasExecutableHeader,
): EngineFiles | undefined {
  const engine = findEngineTarget(host);
  const packageRoot = engine === undefined ? undefined : findPackageDir(from, enginePackage);
  if (engine === undefined || packageRoot === undefined) return undefined;
  const executablePath = listBinaryPaths(
    findPlatformDir(packageRoot, engine.package),
    engine.triple,
    host,
  ).find((path) => isRunnable(path, host, isProgram));
  return executablePath === undefined ? undefined : { executablePath, packageRoot, triple: engine.triple };
}

/**
 * Folder with the `vendor/` of this platform. Engines from before the platform packages carry it themselves.
 * A platform package of another version belongs to another engine, higher up in the tree; ours is missing.
 */
function findPlatformDir(packageRoot: string, platformPackage: string): string {
  // Looked for from the engine's package, not from ours: with pnpm only that one sees its dependencies.
  const dir = findPackageDir(join(packageRoot, "package.json"), platformPackage);
  return dir !== undefined && isSameEngine(packageRoot, dir) ? dir : packageRoot;
}
