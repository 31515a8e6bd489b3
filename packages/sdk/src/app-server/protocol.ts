import type {
  ClientRequest,
  ClientResponses,
  ServerNotification,
  ServerRequest,
  ServerRequestResponses,
} from "@codex-js/protocol";

/** A request that the engine understands. */
export type Method = ClientRequest["method"];
/** What a method takes; `undefined` where it takes nothing. */
export type MethodParams<M extends Method> =
  Extract<ClientRequest, { method: M }> extends { params?: infer P } ? P : undefined;
/** What a method answers. */
export type MethodResult<M extends Method> = ClientResponses[M];
/** The arguments after the method's name: `params` may be left out where it may be undefined. */
export type RequestArguments<M extends Method, Options> =
  undefined extends MethodParams<M>
    ? [params?: MethodParams<M>, options?: Options]
    : [params: MethodParams<M>, options?: Options];

/** A turn as the engine has it. */
export type EngineTurn = NotificationOf<"turn/completed">["params"]["turn"];
/** A prompt as the engine takes it. */
export type EngineInput = MethodParams<"turn/start">["input"];

/** The name of something that the engine tells without being asked. */
export type NotificationMethod = ServerNotification["method"];
export type NotificationOf<M extends NotificationMethod> = Extract<ServerNotification, { method: M }>;

/** The name of something that the engine asks its client. */
export type ServerRequestMethod = ServerRequest["method"];
export type ServerRequestParams<M extends ServerRequestMethod> = Extract<
  ServerRequest,
  { method: M }
>["params"];
export type ServerRequestResult<M extends ServerRequestMethod> = ServerRequestResponses[M];

/** The thread that a message is about, where it is about one. */
export function readThreadId(params: unknown): string | undefined {
  const { threadId, conversationId, thread } = (params ?? {}) as Record<string, unknown>;
  const id = threadId ?? conversationId ?? (thread as { id?: unknown } | null | undefined)?.id;
  return typeof id === "string" ? id : undefined;
}

/** The turn that a message is about, where it is about one. */
export function readTurnId(params: unknown): string | undefined {
  const { turnId, turn } = (params ?? {}) as Record<string, unknown>;
  const id = turnId ?? (turn as { id?: unknown } | null | undefined)?.id;
  return typeof id === "string" ? id : undefined;
}
