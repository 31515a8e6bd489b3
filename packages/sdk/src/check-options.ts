import { CodexError } from "./errors.ts";
import type { CodexOptions, ThreadOptions, TurnOptions } from "./options.ts";

// What types keep out and programs without types, or with data of others, pass all the same.

/**
 * Exec would take an id that begins with a dash for a flag, `--dangerously-bypass-approvals-and-sandbox` for
 * example, and an empty one for a new thread.
 * @throws CodexError CODEX_JS_SDK_INPUT_INVALID
 */
export function checkThreadId(id: unknown): void {
  if (id === null || (typeof id === "string" && /^[^-\s\0](?:[^\0\r\n]*[^\s\0])?$/.test(id))) return;
  throw new CodexError("CODEX_JS_SDK_INPUT_INVALID", `${JSON.stringify(id)} is no id of a thread`);
}

/**
 * The options of a turn; a `null` for the signal is none.
 * @throws CodexError CODEX_JS_SDK_CONFIG_INVALID
 */
export function checkTurnOptions(options: TurnOptions | null): TurnOptions {
  const { signal, ...rest } = options ?? {};
  checkSignal(signal);
  return signal ? { ...rest, signal } : rest;
}

/** @throws CodexError CODEX_JS_SDK_CONFIG_INVALID */
export function checkSignal(signal: unknown): void {
  if (signal === undefined || signal === null) return;
  const { aborted, addEventListener } = signal as AbortSignal;
  if (typeof aborted !== "boolean" || typeof addEventListener !== "function") {
    throw createOptionError("signal", "an AbortSignal");
  }
}

const threadTexts =
  /^(?:model|modelReasoningEffort|threadSource|sandboxMode|workingDirectory|webSearchMode|approvalPolicy)$/;

/**
 * The options of a thread, without those that are null.
 * @throws CodexError CODEX_JS_SDK_CONFIG_INVALID
 */
export function checkThreadOptions(options: ThreadOptions): ThreadOptions {
  const given = Object.entries(options).filter(([, value]) => value !== null && value !== undefined);
  for (const [name, value] of given) {
    if (name === "additionalDirectories") {
      if (!Array.isArray(value)) throw createOptionError(name, "an array of texts");
      for (const [index, dir] of value.entries()) checkText(`${name}[${index}]`, dir);
    } else if (threadTexts.test(name)) checkText(name, value);
  }
  return Object.fromEntries(given);
}

/**
 * The options of a client. Overrides are copied: an iterable may be readable once only, and every turn reads
 * them.
 * @throws CodexError CODEX_JS_SDK_CONFIG_INVALID
 */
export function checkClientOptions<T extends CodexOptions>(options: T | null): T {
  const { configOverrides, env, transport = "exec" } = options ?? {};
  for (const name of ["apiKey", "baseUrl", "codexPathOverride"] as const)
    checkText(name, options?.[name] ?? "");
  // Node would say it with the value, which may be a secret.
  for (const [name, value] of Object.entries(env ?? {})) {
    checkText(`env.${name}`, `${name}${value}`);
  }
  if (transport !== "exec" && transport !== "app-server") {
    throw createOptionError("transport", '"app-server" or "exec"');
  }
  if (!configOverrides) return { ...options } as T;
  const isList = typeof configOverrides === "object" && Symbol.iterator in configOverrides;
  if (!isList) throw createOptionError("configOverrides", "an array of texts");
  const overrides = [...configOverrides];
  for (const [index, override] of overrides.entries()) checkText(`configOverrides[${index}]`, override);
  return { ...options, configOverrides: overrides } as unknown as T;
}

/** The longest timer that the runtimes know; anything longer would fire at once. */
export const maxTimerMs = 2 ** 31 - 1;
/** Groups of numbers. */
const groups = /^(?:deadlines|methods|restart|closeLadder|overloadRetry|turnQueue)$/;
/** These may be `Infinity`, which means never. */
const endless = /^(?:deadlines|restart|startT|drainT)/;

/**
 * The numbers among a client's options: a timer that is given something else fires at once.
 * @throws CodexError CODEX_JS_SDK_CONFIG_INVALID
 */
export function checkNumbers(options: object, path = ""): void {
  for (const [key, value] of Object.entries(options)) {
    const name = `${path}${key}`;
    if (value === undefined || value === null) continue;
    if (groups.test(key)) {
      if (typeof value !== "object") throw createOptionError(name, "an object");
      checkNumbers(value, `${name}.`);
    } else if (path !== "" || /(?:Ms|Bytes)$/.test(key)) {
      const max = endless.test(name) ? Number.POSITIVE_INFINITY : maxTimerMs;
      if (typeof value === "number" && value >= 0 && value <= max) continue;
      throw createOptionError(name, `from 0 to ${max}`);
    }
  }
}

/** @throws CodexError CODEX_JS_SDK_CONFIG_INVALID */
export function checkText(name: string, value: unknown): void {
  if (typeof value !== "string") throw createOptionError(name, "a string");
  if (value.includes("\0")) throw createOptionError(name, "without NUL characters");
}

/** Never shows the value, which may be a secret. */
function createOptionError(name: string, expected: string): CodexError {
  return new CodexError("CODEX_JS_SDK_CONFIG_INVALID", `${name} has to be ${expected}`);
}
