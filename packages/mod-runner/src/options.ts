import { limits } from "../generated/limits.ts";
import {
  type Check,
  findProblems,
  isDigest,
  isFunction,
  isInteger,
  isObject,
  isOneOf,
  isSignal,
  isText,
  isTextList,
  show,
  throwProblems,
} from "./check-options.ts";
import { ModError } from "./errors.ts";
import type { ModHostEvent, ModIdentity, ModLog } from "./events.ts";
import type { HostOperations } from "./operations/host-operation.ts";
import { pickDefined } from "./pick-defined.ts";
import { defaultPool, type PoolOptions } from "./pool/pool-options.ts";

/** What a callback may take. */
export interface ModLimits {
  /** Wall time of a callback in milliseconds, waits for the host included. Default 5,000, at most 600,000. */
  budgetMs?: number;
  /**
   * Memory of a runner's process; one that is above it is ended with `mod_out_of_memory`. Default 512 MiB, at
   * least 64 MiB. What a mod may have is bounded before, by the runner itself: 64 MiB of objects, and 256 MiB of
   * all data. Less than that makes the bound lower; more gives a mod no more.
   */
  memoryBytes?: number;
  /** How long a runner may take to be ready, in milliseconds. Default 10,000. */
  startMs?: number;
  /** Compiled code that is kept, of all mods together. Default 64 MiB; 0 keeps none. */
  codeCacheBytes?: number;
}

/**
 * What the kernel has to enforce: `require` (the default) starts nothing where it does not enforce
 * everything, `best-effort` takes what there is, `off` is for looking into faults.
 */
export type SandboxMode = "require" | "best-effort" | "off";

/** Options of {@link createModHost}. */
export interface ModHostOptions {
  /**
   * Names of the host operations that mods may use, if they ask for them in their manifest. A function gives
   * each mod its own when it is loaded. Default: none.
   */
  grants?: readonly string[] | ((mod: ModIdentity) => readonly string[]);
  /** What mods can ask of the host, by name. `time.sleep` is always there. */
  operations?: HostOperations;
  /** What a callback may take. */
  limits?: ModLimits;
  /** How many runners there are, and for how long. */
  pool?: PoolOptions;
  /** What the kernel has to enforce. Default `require`. */
  sandbox?: SandboxMode;
  /**
   * Called with what mods write to their console. Default: it is dropped. What it throws is an uncaught
   * exception of the program, and ends no callback.
   */
  onLog?: (log: ModLog) => void;
  /**
   * Called when a mod is denied something, an operation fails, a runner starts or ends. What it throws is an
   * uncaught exception of the program, and ends no callback.
   */
  onEvent?: (event: ModHostEvent) => void;
  /** Path of a runner to use in place of the installed one; so does CODEX_JS_MOD_RUNNER_PATH. */
  runnerPath?: string;
  /**
   * SHA-256 that the runner has to have, wherever it is found, in hexadecimal. Default: what the platform package
   * names, and any for a runner that was named.
   */
  runnerDigest?: string;
}

/** Options with every default filled in. */
export interface Settings {
  grants: (mod: ModIdentity) => readonly string[];
  operations: HostOperations;
  limits: Required<ModLimits>;
  pool: Required<PoolOptions>;
  sandbox: SandboxMode;
  onLog: (log: ModLog) => void;
  onEvent: (event: ModHostEvent) => void;
}

export const defaultLimits: Required<ModLimits> = {
  budgetMs: 5000,
  memoryBytes: 512 * 1024 * 1024,
  startMs: 10_000,
  codeCacheBytes: 64 * 1024 * 1024,
};

const isBudget = isInteger(limits.budgetMsMin, limits.budgetMsMax);

const limitChecks: Record<keyof ModLimits, Check> = {
  budgetMs: isBudget,
  // A runner that has less than the heap that it gives to a mod would be ended for doing so.
  memoryBytes: isInteger(limits.heapBytes),
  startMs: isInteger(1),
  codeCacheBytes: isInteger(0),
};

const poolChecks: Record<keyof PoolOptions, Check> = {
  spare: isInteger(0),
  spareBusy: isInteger(0),
  warm: isInteger(0),
  warmMs: isInteger(0),
  runners: isInteger(1),
  queue: isInteger(0),
};

/** A group's own problems are found apart, each with its name. */
const isGroup: Check = () => undefined;

const hostChecks: Record<keyof ModHostOptions, Check> = {
  grants: (value) =>
    typeof value === "function" || isTextList(value) === undefined
      ? undefined
      : "a list of names, or a function",
  operations: isGroup,
  limits: isGroup,
  pool: isGroup,
  sandbox: isOneOf("require", "best-effort", "off"),
  onLog: isFunction,
  onEvent: isFunction,
  runnerPath: isText,
  runnerDigest: isDigest,
};

/** @throws ModError invalid_argument with every problem that there is */
export function resolveOptions(options: ModHostOptions): Settings {
  throwProblems([
    ...findProblems("", options, hostChecks),
    ...(isObject(options) ? findGroupProblems(options) : []),
  ]);
  return {
    grants: toFunction(options.grants ?? []),
    operations: options.operations ?? {},
    limits: { ...defaultLimits, ...pickDefined(options.limits ?? {}) },
    pool: { ...defaultPool, ...pickDefined(options.pool ?? {}) },
    sandbox: options.sandbox ?? "require",
    onLog: callApart(options.onLog),
    onEvent: callApart(options.onEvent),
  };
}

function findGroupProblems({ limits, pool, operations }: ModHostOptions): string[] {
  const names = isObject(operations) ? Object.keys(operations) : [];
  return [
    ...findProblems("limits", limits, limitChecks),
    ...findProblems("pool", pool, poolChecks),
    ...findProblems("operations", operations, Object.fromEntries(names.map((name) => [name, isFunction]))),
  ];
}

const runChecks = { signal: isSignal, budgetMs: isBudget };
const optionsOfCalls: Record<"run" | "render" | "serve" | "load", Record<string, Check>> = {
  run: runChecks,
  render: runChecks,
  serve: { ...runChecks, hooks: isTextList },
  load: { digest: isDigest },
};

/** @throws ModError invalid_argument */
export function checkCallOptions(call: keyof typeof optionsOfCalls, options: object): void {
  throwProblems(findProblems("", options, optionsOfCalls[call]));
}

/**
 * What a mod is granted.
 * @throws ModError invalid_argument where the host's function does not say
 */
export function resolveGrants({ grants }: Settings, mod: ModIdentity): readonly string[] {
  const granted = callGrants(grants, mod);
  // It is told here; nobody else waits for it.
  if (granted instanceof Promise) granted.catch(() => {});
  const expected = isTextList(granted);
  if (expected === undefined) return granted as string[];
  throw new ModError(
    "invalid_argument",
    `grants gave ${show(granted)} for ${mod.name}, expected ${expected}`,
    {
      mod: mod.name,
    },
  );
}

function callGrants(grants: Settings["grants"], mod: ModIdentity): unknown {
  try {
    return grants(mod);
  } catch (cause) {
    throw new ModError("invalid_argument", `grants threw for ${mod.name}: ${describeThrown(cause)}`, {
      mod: mod.name,
      cause,
    });
  }
}

function describeThrown(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : show(thrown);
}

/** A fault in the host's own listener is an uncaught exception of the host's, and none of a runner. */
function callApart<T>(listener: ((value: T) => void) | undefined): (value: T) => void {
  return (value) => {
    try {
      listener?.(value);
    } catch (error) {
      process.nextTick(() => {
        throw error;
      });
    }
  };
}

function toFunction(grants: NonNullable<ModHostOptions["grants"]>): Settings["grants"] {
  return typeof grants === "function" ? grants : () => grants;
}
