/** The engine is not there or cannot be run. */
export class EngineNotFoundError extends Error {
  /** Stable name of the cause. */
  readonly code: `CODEX_JS_ENGINE_${string}`;
  /** The command or edit that mends it. */
  readonly hint: string;

  constructor(code: EngineNotFoundError["code"], message: string, hint: string) {
    super(message);
    this.name = "EngineNotFoundError";
    this.code = code;
    this.hint = hint;
  }
}
