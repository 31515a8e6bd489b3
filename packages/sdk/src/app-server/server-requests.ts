import type { RequestId } from "@codex-js/protocol";
import { CodexError, createAbortError } from "../errors.ts";
import {
  readThreadId,
  type ServerRequestMethod,
  type ServerRequestParams,
  type ServerRequestResult,
} from "./protocol.ts";

export interface ServerRequestContext<M extends ServerRequestMethod = ServerRequestMethod> {
  method: M;
  requestId: string | number;
  /**
   * Aborted when no answer is wanted any more: another client has answered, the turn has ended, or the
   * connection is gone. What the handler returns afterwards is not sent.
   */
  signal: AbortSignal;
}

/**
 * Answers one kind of question. When it throws, or returns what cannot be sent, the engine gets the refusal
 * that a missing handler gives.
 */
export type ServerRequestHandler<M extends ServerRequestMethod> = (
  params: ServerRequestParams<M>,
  context: ServerRequestContext<M>,
) => ServerRequestResult<M> | Promise<ServerRequestResult<M>>;

/** A reply as it goes onto the wire, without its id. */
type Reply = { result: unknown } | { error: { code: number; message: string } };

type AnyHandler = (params: never, context: ServerRequestContext<never>) => unknown;

const noHandler = "this client has no handler for it";
const denied = () => ({ decision: { denied: { rejection: noHandler } } }) as const;

/**
 * What a question is answered with when nobody can answer it: always a refusal in the question's own
 * terms. An error instead would fail the whole tool call, or reject every later one
 * (openai/codex-plugin-cc#640); no answer would hold the turn forever (openai/codex#39149).
 */
const refusals: { [M in ServerRequestMethod]?: () => ServerRequestResult<M> } = {
  "item/commandExecution/requestApproval": () => ({ decision: "decline" }),
  "item/fileChange/requestApproval": () => ({ decision: "decline" }),
  "item/permissions/requestApproval": () => ({ permissions: {}, scope: "turn" }),
  "item/tool/requestUserInput": () => ({ answers: {} }),
  "item/tool/call": () => ({ contentItems: [{ type: "inputText", text: noHandler }], success: false }),
  "mcpServer/elicitation/request": () => ({ action: "decline", content: null, _meta: null }),
  applyPatchApproval: denied,
  execCommandApproval: denied,
};

/** The handlers of one client; they outlive its connections. */
export interface ServerRequestHandlers {
  /**
   * Sets the handler of a method, for one thread or (where no thread has its own) for all; returns a
   * function that takes it away again.
   */
  on<M extends ServerRequestMethod>(
    method: M,
    handler: ServerRequestHandler<M>,
    threadId?: string,
  ): () => void;
  find(method: string, params: unknown): AnyHandler | undefined;
}

export function createServerRequestHandlers(): ServerRequestHandlers {
  const handlers = new Map<string, AnyHandler>();
  const toKey = (method: string, threadId = "") => `${method} ${threadId}`;
  return {
    on: (method, handler, threadId) => {
      const key = toKey(method, threadId);
      handlers.set(key, handler as AnyHandler);
      return () => {
        if (handlers.get(key) === handler) handlers.delete(key);
      };
    },
    find: (method, params) =>
      handlers.get(toKey(method, readThreadId(params))) ?? handlers.get(toKey(method)),
  };
}

/** The questions of one connection that are being answered. */
export interface OpenServerRequests {
  /** Finds the answer to one question; `undefined` when it is not wanted any more. */
  answer(id: RequestId, method: string, params: unknown): Promise<Reply | undefined>;
  /** The engine has its answer, from whomever. */
  resolve(id: RequestId): void;
  abortAll(cause: CodexError): void;
}

export function createOpenServerRequests(
  handlers: ServerRequestHandlers,
  onHandlerError: (error: unknown) => void,
): OpenServerRequests {
  const open = new Map<RequestId, AbortController>();
  return {
    answer: async (id, method, params) => {
      const handler = handlers.find(method, params);
      if (handler === undefined) return refuse(method);
      const abort = new AbortController();
      open.set(id, abort);
      const { signal } = abort;
      try {
        const result = await handler(params as never, { method: method as never, requestId: id, signal });
        if (signal.aborted) return undefined;
        // Without a result the engine would wait for ever, as it would for what cannot be sent.
        if (JSON.stringify(result) === undefined) {
          throw new CodexError("CODEX_JS_SDK_HANDLER_FAILED", `the handler of ${method} returned no answer`);
        }
        return { result };
      } catch (error) {
        if (signal.aborted) return undefined;
        onHandlerError(error);
        return refuse(method);
      } finally {
        if (open.get(id) === abort) open.delete(id);
      }
    },
    resolve: (id) => {
      open.get(id)?.abort(new Error("the engine has its answer already"));
      open.delete(id);
    },
    abortAll: (cause) => {
      for (const abort of open.values()) abort.abort(cause);
      open.clear();
    },
  };
}

function refuse(method: string): Reply {
  const refusal = refusals[method as ServerRequestMethod];
  // Token refresh and attestation know no other refusal than an error.
  return refusal === undefined
    ? { error: { code: -32601, message: `${method}: ${noHandler}` } }
    : { result: refusal() };
}

/** Rejects with an AbortError as soon as `signal` is aborted, while `promise` goes on unseen. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(createAbortError(signal));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
