import { CodexError } from "../errors.ts";

/** How often an engine may crash until it is not started any more. */
export interface RestartPolicy {
  maxCrashes: number;
  /** Milliseconds that a crash counts for. */
  windowMs: number;
}

export const defaultRestartPolicy: RestartPolicy = { maxCrashes: 5, windowMs: 180_000 };

/** Counts an engine's crashes. */
export class RestartLimit {
  readonly #policy: RestartPolicy;
  #crashTimes: number[] = [];

  constructor(policy?: RestartPolicy) {
    this.#policy = { ...defaultRestartPolicy, ...policy };
  }

  noteCrash(): void {
    this.#crashTimes.push(Date.now());
  }

  /** @throws CodexError CODEX_JS_SDK_ENGINE_RESTARTS_EXHAUSTED */
  check(): void {
    const { maxCrashes, windowMs } = this.#policy;
    const since = Date.now() - windowMs;
    this.#crashTimes = this.#crashTimes.filter((time) => time > since);
    if (this.#crashTimes.length < maxCrashes) return;
    throw new CodexError(
      "CODEX_JS_SDK_ENGINE_RESTARTS_EXHAUSTED",
      `the engine crashed ${this.#crashTimes.length} times within ${windowMs} ms and is not started again`,
      { hint: "the earlier errors say why it crashed; a new client starts from zero" },
    );
  }
}
