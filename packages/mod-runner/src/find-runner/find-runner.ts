import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { type Host, readHost, type Target } from "@codex-js/platforms";
import { checkProgram } from "@codex-js/platforms/check-program";
import {
  describeIncludeOptional,
  describeReinstall,
  findOmitSetting,
  findPackageDir,
  isInsideArchive,
  readInstallation,
  readVersion,
} from "@codex-js/platforms/find-package";
import { type Check, findProblems, isDigest, isObject, isText, throwProblems } from "../check-options.ts";
import { ModError } from "../errors.ts";
import { readOwnVersion } from "./own-version.ts";
import { findMissingInterpreter } from "./program-interpreter.ts";
import { type RunnerManifest, readRunnerManifest } from "./runner-manifest.ts";
import { runnerTargets } from "./runner-targets.ts";

/** The native program that runs mods. */
export interface RunnerProgram {
  /** Absolute. */
  path: string;
  /** Who named it: the option, the environment's variable, or a platform package. */
  source: "option" | "environment" | "package";
  /**
   * SHA-256 that the file has to have: the option's, or else what the platform package names; undefined for one that
   * the user has named without a digest.
   */
  sha256: string | undefined;
  /** The platform package. */
  package?: string;
}

/** Options of {@link findRunner}. */
export interface FindRunnerOptions {
  /** Path of a runner to use in place of the installed one. */
  runnerPath?: string;
  /** SHA-256 that the program has to have, wherever it is found, in hexadecimal. */
  runnerDigest?: string;
  /** Where CODEX_JS_MOD_RUNNER_PATH is looked for. Default `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
  /** @internal The module that asks; its package's dependencies are searched. */
  from?: string | URL;
  /** @internal */
  host?: Host;
}

const isAny: Check = () => undefined;

const optionChecks: Record<keyof FindRunnerOptions, Check> = {
  runnerPath: isText,
  runnerDigest: isDigest,
  env: (value) => (isObject(value) ? undefined : "an object"),
  from: isAny,
  host: isAny,
};

/** What names a runner in place of the installed one. */
const runnerPathVariable = "CODEX_JS_MOD_RUNNER_PATH";

/**
 * Finds the native runner: the one that was named, else the one of this machine's platform package. There is
 * no other program that could take its place.
 * @throws ModError runner_unavailable naming what is wrong with it and how that is mended; invalid_argument
 */
export function findRunner(options: FindRunnerOptions = {}): RunnerProgram {
  throwProblems(findProblems("", options, optionChecks));
  const { env = process.env, host = readHost(), runnerDigest } = options;
  const named = options.runnerPath ?? env[runnerPathVariable];
  if (named === undefined || named === "") {
    const installed = findInstalled(options.from ?? import.meta.url, host, env);
    return { ...installed, sha256: runnerDigest ?? installed.sha256 };
  }
  const source = options.runnerPath === undefined ? "environment" : "option";
  const fault = findProgramFault(named, host);
  if (fault !== undefined) {
    const place = source === "option" ? "runnerPath" : runnerPathVariable;
    throw unavailable(`${place} names ${named}, which ${fault}`);
  }
  return { path: named, source, sha256: runnerDigest };
}

/** The name of a target's platform package. */
export function platformPackage(target: Target): string {
  return `@codex-js/mod-runner-${target.id}`;
}

function findInstalled(
  from: string | URL,
  host: Host,
  env: Readonly<Record<string, string | undefined>>,
): RunnerProgram {
  const candidates = listTargets(host);
  if (candidates.length === 0) throw describeUnsupported(host);
  const faults: string[] = [];
  for (const target of candidates) {
    const dir = findPackageDir(from, platformPackage(target));
    if (dir === undefined) continue;
    const found = checkPackage(dir, target, host);
    if (typeof found !== "string") return found;
    faults.push(found);
  }
  const installation = readInstallation(from, env);
  if (faults.length > 0) throw unavailable(faults.join("; "), describeReinstall(installation));
  const names = candidates.map(platformPackage).join(" or ");
  throw unavailable(
    `the package ${names} is not installed: optional dependencies were left out, or it could not be downloaded at the time`,
    describeIncludeOptional(installation, findOmitSetting(installation, env)),
  );
}

/** On Linux one for each C library. Which of them this machine has is told by what their programs ask for. */
function listTargets(host: Host): Target[] {
  return runnerTargets.filter(({ os, cpu }) => os === host.platform && cpu === host.arch);
}

/** What is wrong with an installed platform package, or its program. */
function checkPackage(dir: string, target: Target, host: Host): RunnerProgram | string {
  const name = platformPackage(target);
  const own = readOwnVersion();
  const version = readVersion(join(dir, "package.json"));
  if (own !== "" && version !== own) return `${name} is version ${version}, and this package ${own}`;
  const manifest = readRunnerManifest(dir);
  if (typeof manifest === "string") return `${name}: ${manifest}`;
  const path = join(dir, manifest.program);
  const fault = findProgramFault(path, host) ?? checkTriple(manifest, target);
  return fault === undefined
    ? { path, source: "package", sha256: manifest.sha256, package: name }
    : `${name}: ${path} ${fault}`;
}

function checkTriple(manifest: RunnerManifest, target: Target): string | undefined {
  return manifest.triple === target.triple ? undefined : `is for ${manifest.triple}, not ${target.triple}`;
}

function findProgramFault(path: string, host: Host): string | undefined {
  if (isInsideArchive(path)) return "lies inside an archive, where the system cannot run it";
  try {
    accessSync(path, constants.X_OK);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EACCES";
    return isThere ? `may not be executed (chmod +x ${JSON.stringify(path)} mends that)` : "is not there";
  }
  const fault = checkProgram(path, host);
  if (fault === "damaged") return "is no program, or only the beginning of one";
  if (fault === "other-platform")
    return `is a program for another platform than ${host.platform} ${host.arch}`;
  const interpreter = findMissingInterpreter(path);
  return interpreter === undefined
    ? undefined
    : `needs ${interpreter}, which this machine does not have: it is built for another C library`;
}

function describeUnsupported(host: Host): ModError {
  const hosts = runnerTargets.map(({ os, cpu }) => `${os} ${cpu}`);
  return unavailable(
    `there is no mod runner for ${host.platform} ${host.arch}; it exists for ${[...new Set(hosts)].join(", ")}`,
    "run it on one of those platforms, for example in a container or a virtual machine",
  );
}

function unavailable(message: string, hint?: string): ModError {
  return new ModError("runner_unavailable", message, hint === undefined ? {} : { hint });
}
