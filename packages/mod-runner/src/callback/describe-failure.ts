import { limits } from "../../generated/limits.ts";
import type { ErrorMessage, StackFrame } from "../../generated/messages.ts";
import { ModError, type ModErrorCode, type ModErrorDetails } from "../errors.ts";
import { type Denial, explainDenial } from "../operations/denial.ts";
import type { ModPackage } from "../package/mod-package.ts";
import { pickDefined } from "../pick-defined.ts";
import { describeEnd, type RunnerEnd } from "../runner/runner-end.ts";
import type { CallbackStats } from "../stats.ts";

/** What is known of a callback that failed. */
export interface FailureContext {
  pkg: ModPackage;
  /** A hook's name. */
  hook: string;
  stats: CallbackStats;
  denials: ReadonlyMap<string, Denial>;
  signal: AbortSignal | undefined;
  memoryBytes: number;
}

/** The runner's `error` line as what the caller gets. */
export function describeErrorLine(line: ErrorMessage, context: FailureContext): ModError {
  const denial = line.name === "HostError" ? context.denials.get(line.message) : undefined;
  const code = denial === undefined ? line.code : "host_operation_denied";
  const explained = denial === undefined ? undefined : explainDenial(denial);
  const thrown = line.code === "mod_error" ? `threw ${line.name ?? "something"}: ` : "";
  const place = line.location;
  const where = place === undefined ? "" : ` (${place.module}:${place.line}:${place.column})`;
  const error = create(code, `${explained?.message ?? thrown + line.message}${where}`, context, {
    ...pickDefined({
      reason: line.reason,
      thrown: line.name,
      syntaxCode: line.syntaxCode,
      location: line.location,
      frames: line.stack,
      codeFrame: line.codeFrame,
      hint: explained?.hint ?? findHint(line),
    }),
    ...(code === "mod_cancelled" ? { cause: context.signal?.reason } : {}),
  });
  error.stack = formatStack(error, line.stack ?? [], context.pkg);
  return error;
}

/** The end of the process in place of an answer as what the caller gets. */
export function describeEndOfRunner(end: RunnerEnd, context: FailureContext): ModError {
  const { code, message, hint } = classifyEnd(end, context);
  return create(code, message, context, {
    stderr: end.stderr,
    ...(hint === undefined ? {} : { hint }),
    ...(end.killedFor === "cancel" ? { cause: context.signal?.reason } : {}),
  });
}

interface EndClass {
  code: ModErrorCode;
  message: string;
  hint?: string;
}

function classifyEnd(end: RunnerEnd, { memoryBytes }: FailureContext): EndClass {
  switch (end.killedFor) {
    case "memory":
      return {
        code: "mod_out_of_memory",
        message: `its runner was ended: it had more than ${memoryBytes} bytes of memory`,
        hint: `${lessMemory}, or raise limits.memoryBytes`,
      };
    case "timeout":
      return {
        code: "mod_timeout",
        message: "its runner was ended: it did not even stop at the budget's end",
      };
    case "cancel":
      return { code: "mod_cancelled", message: "the callback was cancelled" };
    case "closed":
      return { code: "mod_cancelled", message: "the mod host was closed" };
    case "server-closed":
      return { code: "mod_cancelled", message: "the mod server was closed" };
    case "fault":
      return { code: "mod_crashed", message: `its runner was ended: it sent ${end.fault}` };
    default:
      return classifyOwnEnd(end);
  }
}

const lessMemory = "keep less at a time";
const [heapMib, dataMib] = [limits.heapBytes, limits.dataBytes].map((bytes) => bytes / 2 ** 20);
const runnerBounds = `${lessMemory}: a mod has ${heapMib} MiB for objects, and ${dataMib} MiB for these, its buffers and the runner together, whatever limits.memoryBytes is`;

const outOfMemoryEnds = ["134", "133", "SIGABRT", "SIGTRAP"];

/** As PROTOCOL.md has it. */
function classifyOwnEnd(end: RunnerEnd): EndClass {
  const how = describeEnd(end);
  const sign = end.signal ?? String(end.exitCode);
  if (outOfMemoryEnds.includes(sign)) {
    const message = `its runner ended for want of memory (${how})`;
    return { code: "mod_out_of_memory", message, hint: runnerBounds };
  }
  if (sign === "70")
    return { code: "mod_timeout", message: "it could not be interrupted at the budget's end" };
  const message = `its runner ended without an answer (${how})`;
  return sign === "SIGKILL"
    ? {
        code: "mod_crashed",
        message,
        hint: "somebody ended it: the kernel does so where the machine has no memory left",
      }
    : { code: "mod_crashed", message };
}

function findHint({ code, message }: ErrorMessage): string | undefined {
  if (code === "mod_timeout") return "raise budgetMs, or do less in one callback";
  if (code === "mod_out_of_memory") return runnerBounds;
  if (code === "mod_invalid_result" && /pending|settle/.test(message)) {
    return "await what the hook starts; nothing but a host operation can take time";
  }
  return undefined;
}

function create(
  code: ModErrorCode,
  message: string,
  context: FailureContext,
  details: ModErrorDetails,
): ModError {
  const { pkg, hook, stats } = context;
  return new ModError(code, `${pkg.name}, hook ${hook}: ${message}`, {
    ...details,
    mod: pkg.name,
    hook,
    stats,
  });
}

/** The calls in the mod first, the host's own behind them. */
function formatStack(error: ModError, frames: readonly StackFrame[], pkg: ModPackage): string {
  const place = pkg.folder ?? `mod:${pkg.name}`;
  const own = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const mods = frames.map(({ function: name, module, line, column }) => {
    const position = `${place}/${module}:${line}:${column}`;
    return name === undefined ? `    at ${position}` : `    at ${name} (${position})`;
  });
  return [`${error.name}: ${error.message}`, ...mods, ...own].join("\n");
}
