/**
 * Drives the Codex agent from TypeScript and JavaScript.
 *
 * @packageDocumentation
 */

export { Codex } from "./codex.ts";
export { CodexError, type CodexErrorCode, CodexExitError } from "./errors.ts";
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
  CyberAccessProgram,
  ModelReasoningEffort,
  SandboxMode,
  ThreadOptions,
  TurnOptions,
  WebSearchMode,
} from "./options.ts";
export { type RunResult, type RunStreamedResult, type StreamedTurn, Thread, type Turn } from "./thread.ts";
