import { CodexError, RpcError } from "../errors.ts";
import type { ReadyEngine } from "./engine-link.ts";
import type { MethodParams } from "./protocol.ts";
import { readThreadId } from "./protocol.ts";

type ResumeParams = MethodParams<"thread/resume">;

interface KnownThread {
  /** Of the engine that has it loaded. */
  generation: number;
  /** A thread that never ran a turn is not on disk. */
  hasRun: boolean;
  /** What it was started or resumed with, so that a resumed one does not behave differently. */
  settings: Omit<ResumeParams, "threadId">;
}

/** What `thread/start` and `thread/fork` take and `thread/resume` takes as well. */
const settingNames = [
  "model",
  "modelProvider",
  "serviceTier",
  "cwd",
  "approvalPolicy",
  "approvalsReviewer",
  "sandbox",
  "config",
  "baseInstructions",
  "developerInstructions",
  "personality",
] as const satisfies readonly (keyof ResumeParams)[];

/** Which threads the engine has loaded, and how to load them again after it was lost. */
export class ThreadRegistry {
  readonly #threads = new Map<string, KnownThread>();

  /** Learns from every answered request. */
  note(method: string, params: unknown, result: unknown, generation: number): void {
    if (method === "thread/start" || method === "thread/resume" || method === "thread/fork") {
      const threadId = readThreadId(result);
      if (threadId === undefined) return;
      const settings: Record<string, unknown> = {};
      for (const name of settingNames) {
        const value = (params as Record<string, unknown> | undefined)?.[name];
        if (value !== undefined) settings[name] = value;
      }
      const isFork = method === "thread/fork";
      // A fork of a thread with turns has them too, and its file is written at once.
      this.#threads.set(threadId, { generation, hasRun: method === "thread/resume" || isFork, settings });
      return;
    }
    const threadId = readThreadId(params);
    if (threadId === undefined) return;
    if (method === "turn/start" || method === "review/start") this.noteRun(threadId);
    if (method === "thread/unsubscribe" || method === "thread/archive") this.unload(threadId);
    if (method === "thread/delete") this.#threads.delete(threadId);
  }

  noteRun(threadId: string): void {
    const thread = this.#threads.get(threadId);
    if (thread !== undefined) thread.hasRun = true;
  }

  /** The engine has let go of a thread. */
  unload(threadId: string): void {
    const thread = this.#threads.get(threadId);
    if (thread !== undefined) thread.generation = 0;
  }

  /** True when the thread was loaded through this client, in an engine that is not this one. */
  needsResume(threadId: string, generation: number): boolean {
    const thread = this.#threads.get(threadId);
    return thread !== undefined && thread.generation !== generation;
  }

  isKnown(threadId: string): boolean {
    return this.#threads.has(threadId);
  }

  /**
   * Loads a thread into this engine.
   * @throws CodexError CODEX_JS_SDK_THREAD_LOST when it never ran a turn, or the engine cannot find it;
   *   a new thread in its place would silently have forgotten everything
   */
  async resume({ connection, generation }: ReadyEngine, threadId: string): Promise<void> {
    const known = this.#threads.get(threadId);
    if (known !== undefined && !known.hasRun) {
      throw createLostError(threadId, "it had not run a turn yet, so the engine had not saved it");
    }
    const params = { ...known?.settings, threadId, excludeTurns: true };
    try {
      await connection.request("thread/resume", params);
    } catch (cause) {
      if (cause instanceof RpcError) throw createLostError(threadId, cause.message, cause);
      throw cause;
    }
    this.#threads.set(threadId, { generation, hasRun: true, settings: known?.settings ?? {} });
  }
}

function createLostError(threadId: string, why: string, cause?: unknown): CodexError {
  return new CodexError("CODEX_JS_SDK_THREAD_LOST", `thread ${threadId} cannot be resumed: ${why}`, {
    hint: "start a new thread",
    cause,
  });
}
