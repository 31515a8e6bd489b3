import type { RequestOptions } from "../app-server/connection.ts";
import type { MethodParams, MethodResult, NotificationOf } from "../app-server/protocol.ts";
import { untilAborted } from "../app-server/server-requests.ts";
import { CodexError } from "../errors.ts";
import type { CodexClient } from "./codex-client.ts";

/** A login that was begun. */
export interface Login {
  /** What the engine answered: the page to open, and for a device code the code to enter there. */
  readonly response: MethodResult<"account/login/start">;
  /**
   * Resolves when the login has succeeded. The host is kept running meanwhile.
   * @throws CodexError CODEX_JS_SDK_LOGIN_FAILED when it did not succeed, or was cancelled
   */
  wait(options?: { signal?: AbortSignal }): Promise<void>;
  /** Gives up. Does nothing for a login that is done. */
  cancel(): Promise<void>;
}

type Completed = NotificationOf<"account/login/completed">["params"];

export async function startLogin(
  client: CodexClient,
  params: MethodParams<"account/login/start">,
  options?: RequestOptions,
): Promise<Login> {
  // It may be over before the answer to its start is read.
  const early: Completed[] = [];
  let onCompleted = (completed: Completed) => void early.push(completed);
  const stop = client.onNotification("account/login/completed", ({ params }) => onCompleted(params));
  let response: Login["response"];
  try {
    response = await client.request("account/login/start", params, options);
  } catch (error) {
    stop();
    throw error;
  }
  const loginId = "loginId" in response ? response.loginId : undefined;
  if (loginId === undefined) {
    stop();
    return { response, wait: async () => {}, cancel: async () => {} };
  }
  const done = new Promise<void>((resolve, reject) => {
    onCompleted = (completed) => {
      if (completed.loginId !== loginId) return;
      settle();
      if (completed.success) resolve();
      else reject(createLoginError(completed.error ?? "it was not completed"));
    };
    // The engine that knows of the login is gone with it.
    const stopWatching = client.onStateChange(({ state, error }) => {
      if (state !== "crashed" && state !== "closing") return;
      settle();
      reject(createLoginError("the engine went away", error));
    });
    const settle = () => {
      stop();
      stopWatching();
    };
    for (const completed of early) onCompleted(completed);
  });
  // Nobody has to wait for it.
  done.catch(() => {});
  return {
    response,
    wait: async ({ signal } = {}) => {
      const release = await client.hold();
      await untilAborted(done, signal).finally(release);
    },
    cancel: async () => {
      await client.request("account/login/cancel", { loginId });
    },
  };
}

function createLoginError(why: string, cause?: unknown): CodexError {
  return new CodexError("CODEX_JS_SDK_LOGIN_FAILED", `the login failed: ${why}`, { cause });
}
