import { formatLoad, formatRender } from "../callback/format-line.ts";
import { ModError } from "../errors.ts";
import { onAbort } from "../on-abort.ts";
import { checkCallOptions } from "../options.ts";
import type { ModPackage } from "../package/mod-package.ts";
import type { Lease } from "../pool/runner-pool.ts";
import { settlesOrAborts, throwIfAborted } from "../pool/waiting-line.ts";
import type { ModResult, RunOptions } from "./calls.ts";
import type { HostServices } from "./host-services.ts";
import { findHook, formatInput } from "./resolve-call.ts";
import { type RunOutcome, runOnLease } from "./run-on-lease.ts";

/** Options of {@link Mod.serve}. */
export interface ServeOptions extends RunOptions {
  /** Which of the mod's hooks; all of them have to be in one module. Default: all. */
  hooks?: readonly string[];
}

/**
 * A mod that is loaded once and rendered many times. Renders run one after the other. When the mod was cut
 * off or its runner has ended, the next render loads it anew, without the state that it had.
 */
export class ModServer implements AsyncDisposable {
  readonly #services: HostServices;
  readonly #pkg: ModPackage;
  readonly #granted: ReadonlySet<string>;
  readonly #options: ServeOptions;
  readonly #module: string;
  #lease: Lease | undefined;
  #isLoaded = false;
  #isClosed = false;
  /** The render that runs, or ran last. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  /** Ends its wait for a runner. */
  readonly #closing = new AbortController();

  /** @internal */
  constructor(services: HostServices, pkg: ModPackage, granted: ReadonlySet<string>, options: ServeOptions) {
    this.#services = services;
    this.#pkg = pkg;
    this.#granted = granted;
    this.#options = options;
    this.#module = findModule(pkg, options.hooks ?? [...pkg.hooks.keys()]);
  }

  /** @internal Loads the mod. */
  async open(): Promise<void> {
    try {
      await this.#load(this.#options);
    } catch (error) {
      this.#giveBack("retired");
      throw error;
    }
  }

  /**
   * Calls a hook of the loaded module.
   * @throws ModError with any code of {@link ModErrorCode}
   */
  async render<Output = unknown>(
    hook: string,
    input: unknown,
    options: RunOptions = {},
  ): Promise<ModResult<Output>> {
    checkCallOptions("render", options);
    const target = findHook(this.#pkg, hook);
    if (target.module !== this.#module) {
      throw new ModError(
        "mod_invalid",
        `hook ${hook} is in ${target.module}, this server has ${this.#module}`,
        {
          mod: this.#pkg.name,
          hook,
          hint: "serve it on its own: mod.serve({ hooks: [name] })",
        },
      );
    }
    const inputJson = formatInput(input);
    const { budgetMs = this.#services.settings.limits.budgetMs } = options;
    const { value, stats } = await this.#inTurn(async () => {
      if (!this.#isLoaded) await this.#load(options);
      const formatLine = (id: number) => formatRender(id, budgetMs, target.export, inputJson);
      return await this.#run(hook, "result", budgetMs, options.signal, formatLine);
    }, options.signal);
    return { value: value as Output, stats };
  }

  /** Gives the runner back; what is being rendered ends with `mod_cancelled`. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closing.abort();
    const { runner } = this.#lease ?? {};
    // What the mod keeps is in the process.
    this.#giveBack("server-closed");
    await this.#last;
    await runner?.ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** One after the other, and no more of them than may wait for a runner. */
  async #inTurn<T>(run: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (this.#waiting > this.#services.settings.pool.queue) {
      throw new ModError("runner_busy", `${this.#waiting} renders wait already`, {
        mod: this.#pkg.name,
        hint: "render less at a time, or raise pool.queue",
      });
    }
    this.#waiting += 1;
    const before = this.#last;
    const turn = (async () => {
      await settlesOrAborts(before, signal).finally(() => {
        this.#waiting -= 1;
      });
      this.#throwIfClosed();
      return run();
    })();
    // One that was cancelled while it waited does not let the next one in before its turn.
    this.#last = Promise.allSettled([before, turn]);
    return turn;
  }

  async #load({ budgetMs = this.#services.settings.limits.budgetMs, signal }: RunOptions): Promise<void> {
    const { caches } = this.#services;
    this.#lease ??= await this.#acquire(budgetMs, signal);
    // Closed while its runner started.
    if (this.#isClosed) this.#giveBack("server-closed");
    this.#throwIfClosed();
    const { runner } = this.#lease;
    const hook = [...this.#pkg.hooks].find(([, { module }]) => module === this.#module)![0];
    await this.#run(hook, "loaded", budgetMs, signal, (id) =>
      formatLoad({ id, budgetMs, runner, pkg: this.#pkg, caches }, this.#module),
    );
    this.#isLoaded = true;
  }

  /** Until one is free, the caller does not want it any more, or this server is closed. */
  async #acquire(patienceMs: number, signal: AbortSignal | undefined): Promise<Lease> {
    throwIfAborted(signal);
    const either = new AbortController();
    const cancel = () => either.abort(signal?.reason);
    const stops = [signal, this.#closing.signal].map((one) => onAbort(one, cancel));
    const { pool } = this.#services;
    const { digest } = this.#pkg;
    try {
      return await pool.acquire({ digest, signal: either.signal, isServer: true, patienceMs });
    } catch (error) {
      this.#throwIfClosed();
      throw error;
    } finally {
      for (const stopListening of stops) stopListening();
    }
  }

  async #run(
    hook: string,
    answerType: "result" | "loaded",
    budgetMs: number,
    signal: AbortSignal | undefined,
    formatLine: (id: number) => string,
  ): Promise<RunOutcome> {
    const outcome = await runOnLease(this.#services, this.#lease!, {
      pkg: this.#pkg,
      hook,
      answerType,
      budgetMs,
      signal,
      granted: this.#granted,
      formatLine,
    }).catch((error: unknown) => {
      this.#giveBack("retired");
      throw error;
    });
    if (outcome.isUnloaded || outcome.retire !== undefined) this.#isLoaded = false;
    if (outcome.retire !== undefined) this.#giveBack(outcome.retire);
    if (outcome.error !== undefined) throw outcome.error;
    return outcome;
  }

  #giveBack(reason: NonNullable<RunOutcome["retire"]>): void {
    const lease = this.#lease;
    this.#lease = undefined;
    this.#isLoaded = false;
    if (lease !== undefined) this.#services.pool.release(lease, reason);
  }

  #throwIfClosed(): void {
    if (this.#isClosed)
      throw new ModError("mod_cancelled", "the mod server was closed", { mod: this.#pkg.name });
  }
}

/** @throws ModError mod_invalid */
function findModule(pkg: ModPackage, hooks: readonly string[]): string {
  const modules = [...new Set(hooks.map((hook) => findHook(pkg, hook).module))];
  const [module] = modules;
  if (module !== undefined && modules.length === 1) return module;
  throw new ModError(
    "mod_invalid",
    `${pkg.name}: a server has one module, these hooks are in ${modules.join(", ") || "none"}`,
    {
      mod: pkg.name,
      hint: "name the hooks of one module: mod.serve({ hooks: [name] })",
    },
  );
}
