/**
 * Drives the Codex agent from TypeScript and JavaScript.
 *
 * @packageDocumentation
 */

export type { NotificationFilter, StartTurnOptions, TurnHandle, TurnResult } from "./app-server/client.ts";
export type { RequestOptions } from "./app-server/connection.ts";
export type { EngineState, EngineStateChange } from "./app-server/engine-link.ts";
export type {
  Method,
  MethodParams,
  MethodResult,
  NotificationMethod,
  NotificationOf,
  ServerRequestMethod,
  ServerRequestParams,
  ServerRequestResult,
} from "./app-server/protocol.ts";
export type { ServerRequestContext, ServerRequestHandler } from "./app-server/server-requests.ts";
export { CodexClient } from "./client/codex-client.ts";
export type { Login } from "./client/login.ts";
export type {
  CodexClientOptions,
  ConnectClientOptions,
  SharedCodexClientOptions,
} from "./client/options.ts";
export { Codex } from "./codex.ts";
export {
  CodexError,
  type CodexErrorCode,
  CodexExitError,
  EngineCrashedError,
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
