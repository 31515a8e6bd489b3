import { setTimeout as sleep } from "node:timers/promises";
import type {
  ClientInfo,
  InitializeCapabilities,
  InitializeResponse,
  RequestId,
  ServerNotification,
} from "@codex-js/protocol";
import { maxTimerMs } from "../check-options.ts";
import { CodexError, createAbortError, RequestTimeoutError, RpcError } from "../errors.ts";
import { formatMessage } from "../framing.ts";
import { createRedactor, type Redact } from "../redact.ts";
import {
  computeRetryDelayMs,
  type Deadlines,
  defaultDeadlines,
  defaultOverloadRetry,
  type OverloadRetry,
} from "./deadlines.ts";
import type { Method, MethodResult, RequestArguments } from "./protocol.ts";
import {
  createOpenServerRequests,
  createServerRequestHandlers,
  type OpenServerRequests,
  type ServerRequestHandlers,
  untilAborted,
} from "./server-requests.ts";
import type { Transport } from "./transport/transport.ts";
import { warnOfHandler } from "./warn-of-handler.ts";

const overloadedCode = -32001;

export interface RequestOptions {
  /** Milliseconds until {@link RequestTimeoutError}; default by method, see {@link Deadlines}. */
  timeoutMs?: number;
  /** Aborting stops the waiting; the engine may carry the request out all the same. */
  signal?: AbortSignal;
}

export interface ConnectionOptions {
  handlers?: ServerRequestHandlers;
  /** Gets every notification, in order. */
  onNotification?: (notification: ServerNotification) => void;
  /** Gets what a handler or listener threw; default: a warning of the process. */
  onListenerError?: (error: unknown) => void;
  deadlines?: Deadlines;
  overloadRetry?: OverloadRetry;
  /** Must not get into an error; keys that a login is given are added to it. */
  secrets?: Set<string | undefined>;
}

/** What a client says of itself. */
export interface Introduction {
  clientInfo: ClientInfo;
  /** Opens the experimental methods and fields; default false. */
  experimentalApi?: boolean;
  /** Exact methods of notifications that the engine is not to send. */
  optOutNotificationMethods?: readonly string[];
  /** Anything else that {@link InitializeCapabilities} knows. */
  capabilities?: Partial<InitializeCapabilities>;
}

interface PendingRequest {
  method: string;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

interface IncomingMessage {
  id?: RequestId;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/**
 * One connection to one engine. It ends once, for one cause, and that cause fails every request that is
 * pending then and every later one.
 */
export class Connection {
  /** Resolves with the cause when the connection has ended; never rejects. */
  readonly closed: Promise<CodexError>;
  /** What may be shown of a text of the engine's. */
  readonly redact: Redact;
  readonly #transport: Transport;
  readonly #options: ConnectionOptions;
  readonly #pending = new Map<RequestId, PendingRequest>();
  readonly #serverRequests: OpenServerRequests;
  /** API keys that must not get into an error. */
  readonly #secrets: Set<string | undefined>;
  #nextId = 0;
  #holds = 0;
  #drained: Promise<void> | undefined;
  #cause: CodexError | undefined;
  #end!: (cause: CodexError) => void;

  constructor(transport: Transport, options: ConnectionOptions = {}) {
    this.#transport = transport;
    this.#options = options;
    this.#secrets = options.secrets ?? new Set();
    this.redact = createRedactor(this.#secrets);
    this.closed = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#serverRequests = createOpenServerRequests(
      options.handlers ?? createServerRequestHandlers(),
      (error) => this.#report(error),
    );
    transport.setRef(false);
    transport.closed.then((cause) => this.#fail(cause));
    transport.listen({
      onMessage: (text) => this.#receive(text),
      onOversizedMessage: (head) => this.#receiveOversized(head),
    });
  }

  /** Why the connection has ended; undefined while it is open. */
  get cause(): CodexError | undefined {
    return this.#cause;
  }

  /** Introduces this side; the first thing to do. */
  async initialize(introduction: Introduction, options: RequestOptions = {}): Promise<InitializeResponse> {
    const { clientInfo, experimentalApi = false, optOutNotificationMethods, capabilities } = introduction;
    const response = await this.request(
      "initialize",
      {
        clientInfo,
        capabilities: {
          requestAttestation: false,
          ...capabilities,
          experimentalApi,
          ...(optOutNotificationMethods && { optOutNotificationMethods: [...optOutNotificationMethods] }),
        },
      },
      options,
    );
    this.#send({ method: "initialized" });
    return response;
  }

  /**
   * Asks the engine something.
   * @throws RpcError when the engine refuses, RequestTimeoutError when it does not answer in time, the
   *   cause when the connection ends first, an AbortError when `signal` is aborted
   */
  request<M extends Method>(
    method: M,
    ...[params, options]: RequestArguments<M, RequestOptions>
  ): Promise<MethodResult<M>> {
    return this.requestUntyped(method, params, options) as Promise<MethodResult<M>>;
  }

  /** {@link request} for methods that the stable protocol does not name, experimental ones for example. */
  async requestUntyped(method: string, params?: unknown, options: RequestOptions = {}): Promise<unknown> {
    if (method === "account/login/start") this.#secrets.add((params as { apiKey?: string }).apiKey);
    const { retries, ...policy } = { ...defaultOverloadRetry, ...this.#options.overloadRetry };
    const release = this.hold();
    try {
      for (let retry = 0; ; retry++) {
        try {
          return await this.#requestOnce(method, params, options);
        } catch (error) {
          const isOverloaded = error instanceof RpcError && error.rpcCode === overloadedCode;
          if (!isOverloaded || retry >= retries) throw error;
          await this.#wait(computeRetryDelayMs({ retries, ...policy }, retry, Math.random), options.signal);
        }
      }
    } finally {
      release();
    }
  }

  /** Keeps the host's process running until the returned function is called; without, an idle engine does not. */
  hold(): () => void {
    if (this.#holds++ === 0) this.#transport.setRef(true);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (--this.#holds === 0 && this.#cause === undefined) this.#transport.setRef(false);
    };
  }

  /** Ends the connection from this side; everything pending fails with `cause`. */
  close(
    cause = new CodexError("CODEX_JS_SDK_CONNECTION_CLOSED", "the connection was closed by this side"),
  ): void {
    this.#fail(cause);
    this.#transport.end();
  }

  #requestOnce(method: string, params: unknown, { signal, timeoutMs }: RequestOptions): Promise<unknown> {
    if (this.#cause !== undefined) return Promise.reject(this.#cause);
    if (signal?.aborted) return Promise.reject(createAbortError(signal));
    const { methods, default: defaultMs } = { ...defaultDeadlines, ...this.#options.deadlines };
    const deadlineMs = timeoutMs ?? methods[method] ?? defaultDeadlines.methods[method] ?? defaultMs;
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#pending.delete(id);
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      };
      const fail = (error: unknown) => {
        settle();
        reject(error);
      };
      const abort = () => fail(createAbortError(signal!));
      const timer =
        deadlineMs < maxTimerMs
          ? setTimeout(() => fail(new RequestTimeoutError(method, deadlineMs)), deadlineMs)
          : undefined;
      signal?.addEventListener("abort", abort);
      this.#pending.set(id, {
        method,
        reject: fail,
        resolve: (result) => {
          settle();
          resolve(result);
        },
      });
      const transmit = () => {
        if (!this.#pending.has(id)) return;
        try {
          this.#send({ id, method, params });
        } catch (error) {
          fail(error);
        }
      };
      // While the engine does not keep up, requests wait here, where they can still be taken back.
      if (this.#drained === undefined) transmit();
      else this.#drained.then(transmit);
    });
  }

  #wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
    const ended = this.closed.then((cause) => Promise.reject(cause));
    // The request that waits keeps the host running, not the timer.
    return untilAborted(Promise.race([sleep(delayMs, undefined, { ref: false }), ended]), signal);
  }

  #send(message: unknown): void {
    const drained = this.#transport.send(formatMessage(message));
    if (drained === undefined || drained === this.#drained) return;
    this.#drained = drained;
    drained.then(() => {
      if (this.#drained === drained) this.#drained = undefined;
    });
  }

  #receive(text: string): void {
    if (this.#cause !== undefined) return;
    let message: IncomingMessage;
    try {
      message = JSON.parse(text);
    } catch {
      // Something polluted the stream (openai/codex#40612): from here on a message may be missing.
      this.#violate(`the engine sent something that is not JSON: ${this.#show(text)}`);
      return;
    }
    if (typeof message !== "object" || message === null) {
      this.#violate(`the engine sent something that is no message: ${this.#show(text)}`);
    } else if (message.method === undefined) {
      this.#settleRequest(message);
    } else if (message.id === undefined) {
      this.#notify(message as unknown as ServerNotification);
    } else {
      this.#answer(message.id, message.method, message.params);
    }
  }

  #settleRequest({ id, result, error }: IncomingMessage): void {
    // An answer that nobody waits for any more is no fault: its request was aborted or timed out.
    const request = id === undefined ? undefined : this.#pending.get(id);
    if (request === undefined) return;
    if (error === undefined) request.resolve(result);
    else request.reject(this.#createRpcError(request.method, error));
  }

  #notify(notification: ServerNotification): void {
    if (notification.method === "serverRequest/resolved") {
      this.#serverRequests.resolve(notification.params.requestId);
    }
    try {
      this.#options.onNotification?.(notification);
    } catch (error) {
      this.#report(error);
    }
  }

  async #answer(id: RequestId, method: string, params: unknown): Promise<void> {
    const reply = await this.#serverRequests.answer(id, method, params);
    if (reply !== undefined && this.#cause === undefined) this.#send({ id, ...reply });
  }

  /** A long answer fails its request; a long notification means that the state of a turn is lost. */
  #receiveOversized(head: string): void {
    const id = /^\{"id":(\d+),"result"/.exec(head)?.[1];
    const request = id === undefined ? undefined : this.#pending.get(Number(id));
    const error = new CodexError(
      "CODEX_JS_SDK_MESSAGE_TOO_LONG",
      `${request?.method ?? "a message of the engine"} is longer than this client allows: ${this.#show(head)}…`,
      { hint: "ask for less at once, or raise maxMessageBytes" },
    );
    if (request !== undefined) request.reject(error);
    else if (id === undefined) this.#abandon(error);
  }

  #createRpcError(method: string, error: { code: number; message: string; data?: unknown }): RpcError {
    const text = JSON.stringify(error);
    const shown = this.redact(text);
    return new RpcError(method, shown === text ? error : JSON.parse(shown));
  }

  #show(text: string): string {
    return this.redact(text).slice(0, 200);
  }

  #violate(message: string): void {
    this.#abandon(new CodexError("CODEX_JS_SDK_PROTOCOL_VIOLATED", message));
  }

  #abandon(cause: CodexError): void {
    this.#fail(cause);
    this.#transport.end();
  }

  #fail(cause: CodexError): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    for (const request of [...this.#pending.values()]) request.reject(cause);
    this.#serverRequests.abortAll(cause);
    this.#end(cause);
  }

  #report(error: unknown): void {
    warnOfHandler(error, this.#options.onListenerError);
  }
}
