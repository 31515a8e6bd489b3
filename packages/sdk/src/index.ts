/**
 * Drives the Codex agent from TypeScript and JavaScript.
 *
 * @packageDocumentation
 */

export type {
  ClientOptions,
  NotificationFilter,
  StartTurnOptions,
  TurnHandle,
  TurnResult,
} from "./app-server/client.ts";
export type { RequestOptions } from "./app-server/connection.ts";
export type { Deadlines, OverloadRetry } from "./app-server/deadlines.ts";
export type { EngineState, EngineStateChange } from "./app-server/engine-link.ts";
export type {
  EngineInput,
  EngineTurn,
  Method,
  MethodParams,
  MethodResult,
  NotificationMethod,
  NotificationOf,
  RequestArguments,
  ServerRequestMethod,
  ServerRequestParams,
  ServerRequestResult,
} from "./app-server/protocol.ts";
export type { RestartPolicy } from "./app-server/restart-limit.ts";
export type { CloseLadder } from "./app-server/running-engine.ts";
export type { ServerRequestContext, ServerRequestHandler } from "./app-server/server-requests.ts";
export type { SharedServerBehaviour, VersionMismatch } from "./app-server/shared/shared-options.ts";
export type { WebSocketOptions } from "./app-server/transport/websocket.ts";
export type { TurnQueueOptions } from "./app-server/turn-queue.ts";
export type { AccountMethods } from "./client/account-methods.ts";
export { CodexClient } from "./client/codex-client.ts";
export type { Login } from "./client/login.ts";
export type { ModelMethods } from "./client/model-methods.ts";
export type {
  ClientBehaviour,
  CodexClientOptions,
  ConnectClientOptions,
  SharedCodexClientOptions,
} from "./client/options.ts";
export type { ThreadMethods } from "./client/thread-methods.ts";
export { Codex } from "./codex.ts";
export {
  CodexError,
  type CodexErrorCode,
  CodexExitError,
  EngineCrashedError,
  type EngineExit,
  RequestTimeoutError,
  RpcError,
} from "./errors.ts";
export type {
  ItemCompletedEvent,
  ItemStartedEvent,
  ItemUpdatedEvent,
  ThreadError,
  ThreadErrorEvent,
  ThreadEvent,
  ThreadStartedEvent,
  TurnCompletedEvent,
  TurnFailedEvent,
  TurnStartedEvent,
  Usage,
} from "./events.ts";
export type { Input, UserInput } from "./input.ts";
export type {
  AgentMessageItem,
  CollabAgentState,
  CollabAgentStatus,
  CollabTool,
  CollabToolCallItem,
  CollabToolCallStatus,
  CommandExecutionItem,
  CommandExecutionStatus,
  ErrorItem,
  FileChangeItem,
  FileUpdateChange,
  McpToolCallItem,
  McpToolCallStatus,
  PatchApplyStatus,
  PatchChangeKind,
  ReasoningItem,
  ThreadItem,
  TodoItem,
  TodoListItem,
  WebSearchAction,
  WebSearchItem,
} from "./items.ts";
export type {
  McpAnnotations,
  McpAudioContent,
  McpContentBlock,
  McpEmbeddedResource,
  McpIcon,
  McpImageContent,
  McpResourceLink,
  McpTextContent,
} from "./mcp-content.ts";
export type {
  ApprovalMode,
  CodexConfigObject,
  CodexConfigValue,
  CodexOptions,
  ConnectOptions,
  CyberAccessProgram,
  ModelReasoningEffort,
  SandboxMode,
  SharedCodexOptions,
  ThreadOptions,
  TurnOptions,
  WebSearchMode,
} from "./options.ts";
export { type RunResult, type RunStreamedResult, type StreamedTurn, Thread, type Turn } from "./thread.ts";
