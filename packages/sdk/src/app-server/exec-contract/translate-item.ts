import type { ServerNotification } from "@codex-js/protocol";
import type {
  CollabAgentState,
  CollabAgentStatus,
  CollabTool,
  McpToolCallItem,
  PatchApplyStatus,
  ThreadItem,
  WebSearchAction,
} from "../../items.ts";

/** An item as the engine's protocol has it. */
export type EngineItem = Extract<ServerNotification, { method: "item/completed" }>["params"]["item"];

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;

/** An item of the SDK before it has its number. */
export type UnnumberedItem = WithoutId<ThreadItem>;

/** What `codex exec` shows of an item; undefined where it shows nothing, as of those that it does not know. */
export function translateItem(item: EngineItem): UnnumberedItem | undefined {
  switch (item.type) {
    case "agentMessage":
      return { type: "agent_message", text: item.text };
    case "reasoning": {
      const text = item.summary.join("\n");
      return text.trim() === "" ? undefined : { type: "reasoning", text };
    }
    case "commandExecution":
      return {
        type: "command_execution",
        command: item.command,
        aggregated_output: item.aggregatedOutput ?? "",
        // Its key is always there, as in what exec prints; the type has no null because the official one has none.
        exit_code: item.exitCode as number,
        status: toSnakeCase(item.status) as "in_progress",
      };
    case "fileChange":
      return {
        type: "file_change",
        changes: item.changes.map(({ path, kind }) => ({ path, kind: kind.type })),
        status: (item.status === "declined" ? "failed" : toSnakeCase(item.status)) as PatchApplyStatus,
      };
    case "mcpToolCall":
      return translateMcpToolCall(item);
    case "collabAgentToolCall":
      return {
        type: "collab_tool_call",
        tool: toSnakeCase(item.tool) as CollabTool,
        sender_thread_id: item.senderThreadId,
        receiver_thread_ids: item.receiverThreadIds,
        prompt: item.prompt,
        agents_states: mapValues(item.agentsStates),
        status: toSnakeCase(item.status) as "in_progress",
      };
    case "webSearch":
      return {
        type: "web_search",
        query: item.query,
        action: dropNulls(item.action ?? { type: "other" }) as WebSearchAction,
      };
    default:
      return undefined;
  }
}

type McpToolCall = Extract<EngineItem, { type: "mcpToolCall" }>;

function translateMcpToolCall({ server, tool, arguments: args, result, error, status }: McpToolCall) {
  return {
    type: "mcp_tool_call",
    server,
    tool,
    arguments: args,
    result: result && {
      content: result.content,
      ...(result._meta === null || result._meta === undefined ? {} : { _meta: result._meta }),
      structured_content: result.structuredContent,
    },
    error: error && { message: error.message },
    status: toSnakeCase(status),
  } as Omit<McpToolCallItem, "id">;
}

function mapValues(
  states: Extract<EngineItem, { type: "collabAgentToolCall" }>["agentsStates"],
): Record<string, CollabAgentState> {
  const entries = Object.entries(states).flatMap(([threadId, state]) =>
    state === undefined
      ? []
      : [[threadId, { ...state, status: toSnakeCase(state.status) as CollabAgentStatus }] as const],
  );
  return Object.fromEntries(entries);
}

/** The protocol writes null where exec leaves a key out. */
function dropNulls(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}

/** The protocol's names are those of exec in another spelling. */
function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
