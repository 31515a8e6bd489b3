import type { ModManifest } from "../../generated/manifest.ts";
import { formatCallback } from "../callback/format-line.ts";
import type { ModIdentity } from "../events.ts";
import { checkCallOptions, resolveGrants } from "../options.ts";
import type { HookTarget, ModPackage } from "../package/mod-package.ts";
import { throwIfAborted } from "../pool/waiting-line.ts";
import type { ModResult, RunOptions } from "./calls.ts";
import type { HostServices } from "./host-services.ts";
import { ModServer, type ServeOptions } from "./mod-server.ts";
import { findHook, formatInput } from "./resolve-call.ts";
import { type RunOutcome, runOnLease } from "./run-on-lease.ts";

/** A mod that a host has loaded. It holds no process and needs no closing. */
export class Mod implements ModIdentity {
  readonly name: string;
  readonly version: string;
  readonly digest: string;
  readonly manifest: Readonly<ModManifest>;
  /** Absolute path of its folder; undefined for a mod from memory. */
  readonly folder: string | undefined;
  /** Its hooks by name, with where they are. */
  readonly hooks: ReadonlyMap<string, HookTarget>;
  /** Host operations that it asks for and is granted. */
  readonly grants: readonly string[];
  readonly #services: HostServices;
  readonly #pkg: ModPackage;

  /** @internal */
  constructor(services: HostServices, pkg: ModPackage) {
    this.#services = services;
    this.#pkg = pkg;
    this.name = pkg.name;
    this.version = pkg.version;
    this.digest = pkg.digest;
    this.manifest = pkg.manifest;
    this.folder = pkg.folder;
    this.hooks = pkg.hooks;
    const { name, version, digest } = pkg;
    const granted = new Set(resolveGrants(services.settings, { name, version, digest }));
    this.grants = [...pkg.asks].filter((operation) => granted.has(operation));
  }

  /**
   * Calls a hook in a context that has never run mod code.
   * @param input - any JSON value without a key `__proto__`
   * @throws ModError with any code of {@link ModErrorCode}
   */
  async run<Output = unknown>(
    hook: string,
    input: unknown,
    options: RunOptions = {},
  ): Promise<ModResult<Output>> {
    checkCallOptions("run", options);
    const target = findHook(this.#pkg, hook);
    const inputJson = formatInput(input);
    const { pool, caches, settings } = this.#services;
    const { budgetMs = settings.limits.budgetMs } = options;
    throwIfAborted(options.signal);
    const lease = await pool.acquire({
      digest: this.digest,
      signal: options.signal,
      isServer: false,
      patienceMs: budgetMs,
    });
    const { runner } = lease;
    // For whatever is thrown before there is an outcome.
    let retire: RunOutcome["retire"] = "retired";
    try {
      const outcome = await runOnLease(this.#services, lease, {
        pkg: this.#pkg,
        hook,
        answerType: "result",
        budgetMs,
        signal: options.signal,
        granted: new Set(this.grants),
        formatLine: (id) =>
          formatCallback({ id, budgetMs, runner, pkg: this.#pkg, caches }, target, inputJson),
      });
      retire = outcome.retire;
      if (outcome.error !== undefined) throw outcome.error;
      return { value: outcome.value as Output, stats: outcome.stats };
    } finally {
      pool.release(lease, retire);
    }
  }

  /**
   * Evaluates the mod once, for many renders on a runner of its own; the mod's state lasts between them.
   * Close it, or declare it with `await using`: until then it has one of the host's `pool.runners`.
   * @throws ModError
   */
  async serve(options: ServeOptions = {}): Promise<ModServer> {
    checkCallOptions("serve", options);
    const server = new ModServer(this.#services, this.#pkg, new Set(this.grants), options);
    await server.open();
    return server;
  }
}
