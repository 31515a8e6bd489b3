import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { checkProgram } from "./check-program.ts";
import { EngineNotFoundError } from "./engine-error.ts";
import {
  enginePackage,
  isInsideArchive,
  isSameEngine,
  listBinaryPaths,
  readVersion,
} from "./engine-files.ts";
import { type Installation, readInstallation } from "./installation.ts";
import { findOmitSetting, isMissingFromNpmLock } from "./omitted-optional.ts";
import { findPackageDir } from "./package-dir.ts";
import {
  describeIncludeOptional,
  describeReinstall,
  describeSeveralPlatforms,
  describeSupportedHosts,
} from "./remedies.ts";
import { findEngineTarget, type Host, readHost, type Target, targets } from "./targets.ts";

/** What every step of the diagnosis looks at. */
interface Search {
  host: Host;
  env: NodeJS.ProcessEnv;
  engine: Target["engine"];
  installation: Installation;
}

/**
 * Says why `findEngine` found nothing, and what mends it. Codes: CODEX_JS_ENGINE_ followed by
 * PLATFORM_UNSUPPORTED, PACKAGE_MISSING, VERSION_MISMATCH, ROSETTA, OTHER_PLATFORM, LOCKFILE_INCOMPLETE, OPTIONAL_OMITTED,
 * INSIDE_ARCHIVE, BINARY_MISSING, BINARY_DAMAGED, NOT_EXECUTABLE.
 */
export function diagnoseEngine(
  from: string | URL,
  host: Host = readHost(),
  env: NodeJS.ProcessEnv = process.env,
): EngineNotFoundError {
  const engine = findEngineTarget(host);
  if (engine === undefined) return describeUnsupported(host);
  const search: Search = { host, env, engine, installation: readInstallation(from, env) };
  const packageDir = findPackageDir(from, enginePackage);
  if (packageDir === undefined) return describeMissingPackage(search);
  return describeEngineFault(search, packageDir);
}

function describeEngineFault(search: Search, packageRoot: string): EngineNotFoundError {
  const resolve = (name: string) => findPackageDir(join(packageRoot, "package.json"), name);
  const platformDir = resolve(search.engine.package);
  if (platformDir !== undefined && !isSameEngine(packageRoot, platformDir)) {
    return describeOtherVersion(search, packageRoot, platformDir);
  }
  const paths = listBinaryPaths(platformDir ?? packageRoot, search.engine.triple, search.host);
  const binary = paths.find((path) => statOf(path) !== undefined);
  if (binary !== undefined) return describeBinary(search, binary);
  if (platformDir !== undefined) return describeMissingBinary(search, paths[0]!);
  const others = listOtherPackages(search.engine.package);
  const present = others.filter((name) => resolve(name) !== undefined);
  return present.length > 0 ? describeOtherPlatform(search, present) : describeAbsent(search, others);
}

function describeUnsupported(host: Host): EngineNotFoundError {
  const is32Bit = host.arch === "ia32" || host.arch === "arm";
  return new EngineNotFoundError(
    "CODEX_JS_ENGINE_PLATFORM_UNSUPPORTED",
    `there is no Codex engine for ${host.platform} ${host.arch}; it exists for ${describeSupportedHosts()}`,
    is32Bit
      ? "on a 64-bit machine, install the 64-bit build of Node.js and reinstall"
      : "run it on one of those platforms, for example in a container or a virtual machine",
  );
}

function describeMissingPackage({ installation }: Search): EngineNotFoundError {
  return new EngineNotFoundError(
    "CODEX_JS_ENGINE_PACKAGE_MISSING",
    `the package ${enginePackage} is not installed, though ${installation.packageName ?? "this program"} depends on it`,
    describeReinstall(installation),
  );
}

function describeOtherPlatform(search: Search, present: string[]): EngineNotFoundError {
  const { host, engine, installation } = search;
  const rosettaTwin = host.arch === "x64" ? `${enginePackage}-darwin-arm64` : `${enginePackage}-darwin-x64`;
  if (host.platform === "darwin" && present.includes(rosettaTwin))
    return describeRosetta(search, rosettaTwin);
  const os = host.platform === "android" ? "linux" : host.platform;
  return new EngineNotFoundError(
    "CODEX_JS_ENGINE_OTHER_PLATFORM",
    `node_modules was made on another platform: ${present.join(", ")} is installed, and this machine (${host.platform} ${host.arch}) needs ${engine.package}`,
    `${describeReinstall(installation)}; where several platforms share one node_modules, use ${describeSeveralPlatforms(installation, os, host.arch)}`,
  );
}

function describeRosetta({ host, engine, installation }: Search, twin: string): EngineNotFoundError {
  const other = host.arch === "x64" ? "arm64" : "x64";
  return new EngineNotFoundError(
    "CODEX_JS_ENGINE_ROSETTA",
    `this Node.js is a darwin ${host.arch} build and needs ${engine.package}, but ${twin} is installed: one of this Node.js and the one that installed runs under Rosetta`,
    host.arch === "x64"
      ? `on Apple silicon, use the arm64 build of Node.js (\`node -p process.arch\` must print ${other}); to stay with this one, ${describeReinstall(installation)}`
      : `with this Node.js, ${describeReinstall(installation)}`,
  );
}

function describeAbsent({ engine, installation, env }: Search, others: string[]): EngineNotFoundError {
  if (isMissingFromNpmLock(installation, engine.package, others)) {
    return new EngineNotFoundError(
      "CODEX_JS_ENGINE_LOCKFILE_INCOMPLETE",
      `package-lock.json was made on another platform and does not list ${engine.package}, so npm does not install it`,
      "delete node_modules and package-lock.json, then run: npm install",
    );
  }
  const setting = findOmitSetting(installation, env);
  return new EngineNotFoundError(
    "CODEX_JS_ENGINE_OPTIONAL_OMITTED",
    `the package ${engine.package} is not installed: optional dependencies were left out, or it could not be downloaded at the time`,
    describeIncludeOptional(installation, setting),
  );
}

/** An install that missed the platform package and exited 0, as npm does, below a tree with an older engine. */
function describeOtherVersion(search: Search, packageRoot: string, platformDir: string): EngineNotFoundError {
  const [version, found] = [packageRoot, platformDir].map((dir) => readVersion(join(dir, "package.json")));
  return new EngineNotFoundError(
    "CODEX_JS_ENGINE_VERSION_MISMATCH",
    `the engine is ${version}, but the only ${search.engine.package} within reach is ${found}: ${platformDir}`,
    describeReinstall(search.installation),
  );
}

function describeMissingBinary({ engine, installation }: Search, path: string): EngineNotFoundError {
  return new EngineNotFoundError(
    "CODEX_JS_ENGINE_BINARY_MISSING",
    `the package ${engine.package} is installed, but its binary is not there: ${path}`,
    `${describeReinstall(installation)}; if it disappears again, an antivirus program may be removing it`,
  );
}

function describeBinary({ host, installation }: Search, path: string): EngineNotFoundError {
  if (isInsideArchive(path)) return describeArchived(path);
  if (!isAccessible(path)) return describeNotExecutable(path);
  const fault = checkProgram(path, host);
  if (fault === "other-platform") {
    return new EngineNotFoundError(
      "CODEX_JS_ENGINE_OTHER_PLATFORM",
      `the engine's binary is a program for another platform than this machine's (${host.platform} ${host.arch}): ${path}`,
      describeReinstall(installation),
    );
  }
  return new EngineNotFoundError(
    "CODEX_JS_ENGINE_BINARY_DAMAGED",
    fault === "damaged"
      ? `the engine's binary is no program, or only the beginning of one (${statOf(path)?.size} bytes): ${path}`
      : `the engine's binary was not usable a moment ago: ${path}`,
    describeReinstall(installation),
  );
}

function describeArchived(path: string): EngineNotFoundError {
  return new EngineNotFoundError(
    "CODEX_JS_ENGINE_INSIDE_ARCHIVE",
    `the engine's binary lies inside an archive, where the system cannot run it: ${path}`,
    /\.asar[\\/]/.test(path)
      ? `unpack it when building the app: asarUnpack "**/node_modules/${enginePackage}*/**"`
      : `run: yarn unplug "${enginePackage}@*"`,
  );
}

function describeNotExecutable(path: string): EngineNotFoundError {
  const hasExecuteBit = ((statOf(path)?.mode ?? 0) & 0o111) !== 0;
  return new EngineNotFoundError(
    "CODEX_JS_ENGINE_NOT_EXECUTABLE",
    `the engine's binary may not be executed (EACCES): ${path}`,
    hasExecuteBit
      ? "install on a file system that is not mounted noexec, as a user who may run the file"
      : `run: chmod +x ${JSON.stringify(path)}`,
  );
}

function listOtherPackages(wanted: string): string[] {
  return [...new Set(targets.map((target) => target.engine.package))].filter((name) => name !== wanted);
}

function statOf(path: string): { size: number; mode: number } | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function isAccessible(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
