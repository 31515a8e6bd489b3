import type { ListedCode } from "../generated/codes.ts";
import type { Location, ProtocolErrorReason, StackFrame } from "../generated/messages.ts";
import { pickDefined } from "./pick-defined.ts";
import type { CallbackStats } from "./stats.ts";

/**
 * What a {@link ModError} is about: a code of the protocol's list, or one of the host's own.
 *
 * - `runner_busy`: as many callbacks wait for a runner as may, or open servers have had all runners for as long as
 *   the call's budget
 * - `invalid_argument`: an option or an input that this library cannot take
 */
export type ModErrorCode = ListedCode | "runner_busy" | "invalid_argument";

/** What is known about a failure besides its code and its message. */
export interface ModErrorDetails {
  /** One command or edit that mends it. */
  hint?: string;
  /** The mod's name. */
  mod?: string;
  /** The hook that was called. */
  hook?: string;
  /** With `protocol_error`: which rule. */
  reason?: ProtocolErrorReason;
  /** With `mod_error` and `mod_syntax_error`: the name of what was thrown, such as `TypeError`. */
  thrown?: string;
  /** Node's code for the same fault of a TypeScript module. */
  syntaxCode?: "ERR_INVALID_TYPESCRIPT_SYNTAX" | "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX";
  /** Where in the author's file. */
  location?: Location;
  /** Calls in the mod's code, the innermost first. */
  frames?: readonly StackFrame[];
  /** The author's lines around the place. */
  codeFrame?: string;
  /** What the callback cost, as far as it is known. */
  stats?: CallbackStats;
  /** The end of what the runner wrote to its standard error. */
  stderr?: string;
  cause?: unknown;
}

/** Every error that this package throws on purpose. `stack` has the mod's own files, lines and columns. */
export class ModError extends Error {
  /** Stable; tell errors apart by it and not by their message. */
  readonly code: ModErrorCode;
  /** One command or edit that mends it. */
  declare readonly hint: string | undefined;
  /** The mod's name. */
  declare readonly mod: string | undefined;
  /** The hook that was called. */
  declare readonly hook: string | undefined;
  /** With `protocol_error`: which rule. */
  declare readonly reason: ModErrorDetails["reason"];
  /** With `mod_error` and `mod_syntax_error`: the name of what was thrown, such as `TypeError`. */
  declare readonly thrown: string | undefined;
  /** Node's code for the same fault of a TypeScript module. */
  declare readonly syntaxCode: ModErrorDetails["syntaxCode"];
  /** Where in the author's file. */
  declare readonly location: Location | undefined;
  /** Calls in the mod's code, the innermost first. */
  readonly frames: readonly StackFrame[];
  /** The author's lines around the place. */
  declare readonly codeFrame: string | undefined;
  /** What the callback cost, as far as it is known. */
  declare readonly stats: CallbackStats | undefined;
  /** The end of what the runner wrote to its standard error. */
  declare readonly stderr: string | undefined;

  /** @internal */
  constructor(code: ModErrorCode, message: string, details: ModErrorDetails = {}) {
    const { cause, frames = [], ...others } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ModError";
    this.code = code;
    this.frames = frames;
    // Only what is known: an error that nobody catches is printed with every field that it has.
    Object.assign(this, pickDefined(others));
  }
}
