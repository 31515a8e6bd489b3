import { limits } from "../generated/limits.ts";
import { ModError } from "./errors.ts";
import type { ModHostEvent, ModIdentity, ModLog } from "./events.ts";
import type { HostOperations } from "./operations/host-operation.ts";
import { pickDefined } from "./pick-defined.ts";
import { defaultPool, type PoolOptions } from "./pool/pool-options.ts";

/** What a callback may take. */
export interface ModLimits {
  /** Wall time of a callback in milliseconds, waits for the host included. Default 5,000, at most 600,000. */
  budgetMs?: number;
  /** Memory of a runner's process; one that is above it is ended with `mod_out_of_memory`. Default 512 MiB. */
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
   * each mod its own. Default: none.
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
  /** Called with what mods write to their console. Default: it is dropped. */
  onLog?: (log: ModLog) => void;
  /** Called when a mod is denied something, an operation fails, a runner starts or ends. */
  onEvent?: (event: ModHostEvent) => void;
  /** Path of a runner to use in place of the installed one; so does CODEX_JS_MOD_RUNNER_PATH. */
  runnerPath?: string;
  /** SHA-256 that the program at `runnerPath` has to have, in hexadecimal. Default: any. */
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

/** @throws ModError invalid_argument with every problem that there is */
export function resolveOptions(options: ModHostOptions): Settings {
  const settings: Settings = {
    grants: toFunction(options.grants ?? []),
    operations: options.operations ?? {},
    limits: { ...defaultLimits, ...pickDefined(options.limits ?? {}) },
    pool: { ...defaultPool, ...pickDefined(options.pool ?? {}) },
    sandbox: options.sandbox ?? "require",
    onLog: callApart(options.onLog),
    onEvent: callApart(options.onEvent),
  };
  const problems = [
    ...findUnknown("limits", options.limits, defaultLimits),
    ...findUnknown("pool", options.pool, defaultPool),
    ...checkNumbers("limits", settings.limits, { budgetMs: 1, memoryBytes: 1, startMs: 1 }),
    ...checkNumbers("pool", settings.pool, { runners: 1 }),
    ...checkBudget(settings.limits.budgetMs),
    ...checkOperations(settings.operations),
  ];
  if (!["require", "best-effort", "off"].includes(settings.sandbox)) {
    problems.push(`sandbox is ${settings.sandbox}, expected require, best-effort or off`);
  }
  if (problems.length > 0) throw new ModError("invalid_argument", problems.join("; "));
  return settings;
}

/** @throws ModError invalid_argument */
export function resolveBudget(
  budgetMs: number | undefined,
  { limits: { budgetMs: usual } }: Settings,
): number {
  const [problem] = checkBudget(budgetMs ?? usual);
  if (problem !== undefined) throw new ModError("invalid_argument", problem);
  return budgetMs ?? usual;
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

/** A misspelt limit would not limit anything. */
function findUnknown(group: string, options: object = {}, known: object): string[] {
  return Object.keys(options)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => `${group}.${name} is no option; there are ${Object.keys(known).join(", ")}`);
}

function checkNumbers(group: string, values: object, least: Record<string, number>): string[] {
  return Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
    const isRight = Number.isSafeInteger(value) && (value as number) >= (least[name] ?? 0);
    return isRight
      ? []
      : [`${group}.${name} is ${value}, expected an integer of at least ${least[name] ?? 0}`];
  });
}

function checkBudget(budgetMs: number): string[] {
  const { budgetMsMin, budgetMsMax } = limits;
  const isRight = Number.isSafeInteger(budgetMs) && budgetMs >= budgetMsMin && budgetMs <= budgetMsMax;
  return isRight
    ? []
    : [`budgetMs is ${budgetMs}, expected an integer from ${budgetMsMin} to ${budgetMsMax}`];
}

function checkOperations(operations: HostOperations): string[] {
  return Object.entries(operations)
    .filter(([, operation]) => typeof operation !== "function")
    .map(([name]) => `operations["${name}"] is no function`);
}
