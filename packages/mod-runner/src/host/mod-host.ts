import { randomBytes } from "node:crypto";
import { CodeCaches } from "../callback/code-caches.ts";
import { findProblems, isObject, isText, throwProblems } from "../check-options.ts";
import { ModError } from "../errors.ts";
import { findRunner } from "../find-runner/find-runner.ts";
import { verifyRunner } from "../find-runner/verify-runner.ts";
import { checkCallOptions, type ModHostOptions, resolveOptions, type Settings } from "../options.ts";
import { createPackage } from "../package/create-package.ts";
import type { ModPackage } from "../package/mod-package.ts";
import { readFolder } from "../package/read-folder.ts";
import { pickDefined } from "../pick-defined.ts";
import { type PoolCounts, RunnerPool } from "../pool/runner-pool.ts";
import { Runner } from "../runner/runner.ts";
import type { HostServices } from "./host-services.ts";
import { MemoryWatchdog } from "./memory-watchdog.ts";
import { Mod } from "./mod.ts";

/** A mod from memory: its text files by path, `mod.json` among them. */
export interface ModFiles {
  files: Readonly<Record<string, string>>;
}

/** Options of {@link ModHost.load}. */
export interface LoadOptions {
  /** Digest that the mod has to have, as {@link Mod.digest} gave it when it was reviewed. Default: any. */
  digest?: string;
}

/**
 * Runs mods, each in a process of its own. Close it, or declare it with `await using`: that ends every
 * runner. A program whose mods are idle may end without.
 */
export class ModHost implements AsyncDisposable {
  readonly #services: HostServices;
  #isClosed = false;

  /** @internal */
  constructor(options: ModHostOptions) {
    const settings = resolveOptions(options);
    const caches = new CodeCaches(settings.limits.codeCacheBytes);
    const pool = new RunnerPool(settings.pool, createRunnerStart(options, settings, caches));
    this.#services = {
      settings,
      pool,
      caches,
      watchdog: new MemoryWatchdog(settings.limits.memoryBytes, () => pool.busy),
    };
  }

  /** How many runners there are, and how many callbacks wait for one. */
  get counts(): PoolCounts {
    return this.#services.pool.counts;
  }

  /**
   * Reads a mod and checks its package. Nothing of it runs yet.
   * @param source - a folder with a `mod.json`, or the files themselves
   * @throws ModError mod_invalid with every problem that there is: of what cannot be read, or else of the
   * manifest and the modules; invalid_argument
   */
  async load(source: string | ModFiles, options: LoadOptions = {}): Promise<Mod> {
    if (this.#isClosed) throw new ModError("mod_cancelled", "the mod host was closed");
    checkCallOptions("load", options);
    const pkg = await readPackage(source);
    if (options.digest !== undefined && options.digest !== pkg.digest) {
      throw new ModError(
        "mod_invalid",
        `${pkg.name} is not the mod that was granted: its digest is ${pkg.digest}, expected ${options.digest}`,
        { mod: pkg.name, hint: "review the mod as it is now, and grant its new digest" },
      );
    }
    this.#services.pool.warmUp();
    return new Mod(this.#services, pkg);
  }

  /** Ends every runner. Callbacks that run or wait end with `mod_cancelled`; every process is gone then. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#services.pool.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/**
 * Makes a host for mods. No process is started before the first mod is loaded.
 * @throws ModError invalid_argument
 */
export function createModHost(options: ModHostOptions = {}): ModHost {
  return new ModHost(options);
}

/** @throws ModError mod_invalid, invalid_argument */
async function readPackage(source: string | ModFiles): Promise<ModPackage> {
  if (typeof source !== "string") return createPackage(checkFiles(source));
  const { files, folder } = await readFolder(source);
  return createPackage(files, folder);
}

/** @throws ModError invalid_argument */
function checkFiles(source: ModFiles): ModFiles["files"] {
  const files: unknown = isObject(source) ? source.files : undefined;
  if (!isObject(files)) {
    throw new ModError("invalid_argument", "there is no mod to load", {
      hint: "name its folder, or give its texts: load({ files: { [path]: text } })",
    });
  }
  throwProblems(
    findProblems("files", files, Object.fromEntries(Object.keys(files).map((path) => [path, isText]))),
  );
  return source.files;
}

/** What starts a runner: the program is looked for, and checked, anew for each. */
function createRunnerStart(
  options: ModHostOptions,
  settings: Settings,
  caches: CodeCaches,
): () => Promise<Runner> {
  const cacheKey = caches.isOn ? randomBytes(32).toString("hex") : undefined;
  const { runnerPath, runnerDigest } = options;
  const search = pickDefined({ runnerPath, runnerDigest });
  return async () => {
    const program = findRunner(search);
    await verifyRunner(program, runnerDigest);
    const start = performance.now();
    const runner = new Runner({
      path: program.path,
      args: [`--sandbox=${settings.sandbox}`],
      env: pickRunnerEnv(process.env),
      cacheKey,
      startMs: settings.limits.startMs,
    });
    tell(runner, start, settings);
    return runner;
  };
}

/** Nothing of the host's environment but its time zone, which dates in mods are shown in. */
function pickRunnerEnv({ TZ }: NodeJS.ProcessEnv): Record<string, string> {
  return TZ === undefined ? {} : { TZ };
}

function tell(runner: Runner, start: number, { onEvent }: Settings): void {
  const { pid } = runner;
  runner.ready.then(
    ({ runnerVersion, v8Version, sandbox }) => {
      const startMs = performance.now() - start;
      onEvent({ type: "runner-started", pid, startMs, runnerVersion, v8Version, sandbox });
    },
    // Whoever needed the runner is told.
    () => {},
  );
  void runner.ended.then(({ exitCode, signal, killedFor, fault }) => {
    onEvent({
      type: "runner-ended",
      pid,
      exitCode,
      signal,
      ...pickDefined({ reason: killedFor, fault }),
    });
  });
}
