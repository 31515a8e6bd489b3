import type { WebSearchAction } from "@codex-js/protocol";
import type { McpContentBlock } from "./mcp-content.ts";

export type { WebSearchAction };

/** Where a command stands. */
export type CommandExecutionStatus = "in_progress" | "completed" | "failed";

/** A command that the agent runs. */
export type CommandExecutionItem = {
  id: string;
  type: "command_execution";
  /** The command line as the agent gave it to a shell. */
  command: string;
  /** What it has printed so far, stdout and stderr together. */
  aggregated_output: string;
  /** There once the command has exited; until then the engine leaves it out or sends `null`. */
  exit_code?: number;
  status: CommandExecutionStatus;
};

/** What happens to one file. */
export type PatchChangeKind = "add" | "delete" | "update";

/** One file of a patch. */
export type FileUpdateChange = {
  path: string;
  kind: PatchChangeKind;
};

/** How a patch ended. The engine reports a declined one as `failed`. */
export type PatchApplyStatus = "completed" | "failed";

/** A patch that the agent applied, or failed to. */
export type FileChangeItem = {
  id: string;
  type: "file_change";
  changes: FileUpdateChange[];
  status: PatchApplyStatus;
};

/** Where a call of an MCP tool stands. */
export type McpToolCallStatus = "in_progress" | "completed" | "failed";

/** A call of an MCP tool. */
export type McpToolCallItem = {
  id: string;
  type: "mcp_tool_call";
  /** The MCP server's name in the configuration. */
  server: string;
  tool: string;
  /** As the model wrote them; the tool's schema says what they are. */
  arguments: unknown;
  /** What the server answered, once it has. */
  result?: {
    content: McpContentBlock[];
    _meta?: unknown;
    structured_content: unknown;
  };
  /** Why the call failed, where it did. */
  error?: {
    message: string;
  };
  status: McpToolCallStatus;
};

/** What a collaboration tool does. New engines may add to these. */
export type CollabTool = "spawn_agent" | "send_input" | "wait" | "close_agent";

/** Where a call of a collaboration tool stands. */
export type CollabToolCallStatus = "in_progress" | "completed" | "failed";

/** Where another agent stands. */
export type CollabAgentStatus =
  | "pending_init"
  | "running"
  | "interrupted"
  | "completed"
  | "errored"
  | "shutdown"
  | "not_found";

/** What is last known of another agent. */
export type CollabAgentState = {
  status: CollabAgentStatus;
  message: string | null;
};

/** A call by which the agent starts, instructs or ends another agent. */
export type CollabToolCallItem = {
  id: string;
  type: "collab_tool_call";
  tool: CollabTool;
  sender_thread_id: string;
  receiver_thread_ids: string[];
  prompt: string | null;
  /** The agents concerned, by thread id. */
  agents_states: Record<string, CollabAgentState>;
  status: CollabToolCallStatus;
};

/** What the agent says: text, or JSON where a turn has an output schema. */
export type AgentMessageItem = {
  id: string;
  type: "agent_message";
  text: string;
};

/** A summary of the agent's reasoning. */
export type ReasoningItem = {
  id: string;
  type: "reasoning";
  text: string;
};

/** A web search. */
export type WebSearchItem = {
  id: string;
  type: "web_search";
  query: string;
  /** What the agent did: searched, opened a page, or looked for text in one. */
  action?: WebSearchAction;
};

/** A problem that did not end the turn. */
export type ErrorItem = {
  id: string;
  type: "error";
  message: string;
};

/** One step of the agent's plan. */
export type TodoItem = {
  text: string;
  completed: boolean;
};

/** The agent's plan; updated as its steps change. */
export type TodoListItem = {
  id: string;
  type: "todo_list";
  items: TodoItem[];
};

/** Everything that a turn produces, told apart by `type`. */
export type ThreadItem =
  | AgentMessageItem
  | ReasoningItem
  | CommandExecutionItem
  | FileChangeItem
  | McpToolCallItem
  | CollabToolCallItem
  | WebSearchItem
  | TodoListItem
  | ErrorItem;
