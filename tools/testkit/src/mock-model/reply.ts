/** Token counts as the Responses API reports them; what is left out counts as 0, totals are computed. */
export interface MockUsage {
  inputTokens?: number;
  cachedInputTokens?: number;
  outputTokens?: number;
  reasoningTokens?: number;
}

export interface ReplyOptions {
  /** Default {@link defaultUsage}. */
  usage?: MockUsage;
  /** Milliseconds of silence before the first byte; default 0. */
  delayMs?: number;
}

export interface TextReplyOptions extends ReplyOptions {
  /** Characters per streamed delta; without it the text comes in one piece, with the finished item. */
  deltaChars?: number;
  /** Milliseconds between two deltas; default 0. */
  deltaDelayMs?: number;
}

/** One output item of a response, and how it is streamed. */
export type MockItem =
  | { type: "message"; text: string; deltaChars?: number; deltaDelayMs?: number }
  | { type: "reasoning"; summary: string; deltaChars?: number; deltaDelayMs?: number }
  | { type: "function_call"; name: string; namespace?: string; arguments: string; callId?: string }
  | { type: "custom_tool_call"; name: string; input: string; callId?: string };

/** What the model does with one request; plain data, built with {@link reply}. */
export type MockModelReply =
  | { kind: "items"; items: MockItem[]; usage?: MockUsage; delayMs?: number }
  | { kind: "failed"; code: string; message: string; delayMs?: number }
  | { kind: "error"; status: number; body: unknown; headers?: Record<string, string>; delayMs?: number }
  | { kind: "hang"; afterText?: string; delayMs?: number }
  | { kind: "cut"; afterText?: string; delayMs?: number };

export const defaultUsage: Readonly<Required<MockUsage>> = {
  inputTokens: 11,
  cachedInputTokens: 3,
  outputTokens: 7,
  reasoningTokens: 2,
};

type ItemsReply = Extract<MockModelReply, { kind: "items" }>;

/** Builders of {@link MockModelReply}. */
export const reply = {
  /** An assistant message; with `deltaChars` it is streamed before it is finished. */
  message(text: string, options: TextReplyOptions = {}): ItemsReply {
    const { usage, delayMs, ...streaming } = options;
    return withOptions({ type: "message", text, ...streaming }, { usage, delayMs });
  },

  /** A reasoning summary; put it before a message with {@link reply.sequence}. */
  reasoning(summary: string, options: TextReplyOptions = {}): ItemsReply {
    const { usage, delayMs, ...streaming } = options;
    return withOptions({ type: "reasoning", summary, ...streaming }, { usage, delayMs });
  },

  /**
   * Calls a function tool. The engine runs it and asks the model again with its output.
   * Tools of an MCP server are in a namespace of their own, `mcp__SERVER`.
   * `callId` defaults to one that is unique within the server.
   */
  functionCall(
    tool: string | { namespace: string; name: string },
    args: unknown,
    callId?: string,
    options: ReplyOptions = {},
  ): ItemsReply {
    const named = typeof tool === "string" ? { name: tool } : tool;
    const item: MockItem = { type: "function_call", ...named, arguments: JSON.stringify(args) };
    return withOptions(callId === undefined ? item : { ...item, callId }, options);
  },

  /** Calls a free-form tool (such as `apply_patch`), whose input is text and not JSON. */
  customToolCall(name: string, input: string, callId?: string, options: ReplyOptions = {}): ItemsReply {
    const item: MockItem = { type: "custom_tool_call", name, input };
    return withOptions(callId === undefined ? item : { ...item, callId }, options);
  },

  /** Several items in one response, in order; usage and delay are those of the last reply that has them. */
  sequence(...replies: ItemsReply[]): ItemsReply {
    return Object.assign({}, ...replies, { items: replies.flatMap(({ items }) => items) });
  },

  /** An HTTP error. The engine retries 5xx and 429 as often as its provider's `request_max_retries` says. */
  error(status: number, body: unknown, options: { headers?: Record<string, string>; delayMs?: number } = {}) {
    return { kind: "error", status, body, ...options } satisfies MockModelReply;
  },

  /** HTTP 200 whose stream ends in `response.failed`: how the API reports a failure of the model itself. */
  failed(code: string, message: string, options: { delayMs?: number } = {}) {
    return { kind: "failed", code, message, ...options } satisfies MockModelReply;
  },

  /** Starts to answer (after `afterText` has been streamed, if given) and never ends, until the server closes. */
  hang(options: { afterText?: string; delayMs?: number } = {}) {
    return { kind: "hang", ...options } satisfies MockModelReply;
  },

  /** Starts to answer, then breaks the connection. */
  cut(options: { afterText?: string; delayMs?: number } = {}) {
    return { kind: "cut", ...options } satisfies MockModelReply;
  },
};

function withOptions(
  item: MockItem,
  options: { usage?: MockUsage | undefined; delayMs?: number | undefined },
): ItemsReply {
  return {
    kind: "items",
    items: [item],
    ...(options.usage === undefined ? {} : { usage: options.usage }),
    ...(options.delayMs === undefined ? {} : { delayMs: options.delayMs }),
  };
}
