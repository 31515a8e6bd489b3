import { defaultUsage, type MockItem, type MockModelReply, type MockUsage } from "./reply.ts";

/** One server-sent event of the Responses API, and how long to wait before it is sent. */
export interface ResponseEvent {
  delayMs?: number;
  data: { type: string; [key: string]: unknown };
}

/** Identifiers that one response needs; unique within a server, equal from run to run. */
export interface ResponseIds {
  response: string;
  item: (position: number) => string;
  call: (position: number) => string;
}

export function createResponseIds(index: number): ResponseIds {
  return {
    response: `resp_mock_${index}`,
    item: (position) => `item_mock_${index}_${position}`,
    call: (position) => `call_mock_${index}_${position}`,
  };
}

/** The whole stream of a reply that succeeds. */
export function* createItemEvents(
  reply: Extract<MockModelReply, { kind: "items" }>,
  ids: ResponseIds,
): Generator<ResponseEvent> {
  yield createdEvent(ids);
  const output: unknown[] = [];
  for (const [position, item] of reply.items.entries()) {
    const finished = toOutputItem(item, ids, position);
    yield* createStreamingEvents(item, ids.item(position), position);
    yield { data: { type: "response.output_item.done", output_index: position, item: finished } };
    output.push(finished);
  }
  yield {
    data: {
      type: "response.completed",
      response: { id: ids.response, status: "completed", output, usage: toUsage(reply.usage) },
    },
  };
}

/** The stream of a model that reports its own failure. */
export function createFailedEvents(
  reply: Extract<MockModelReply, { kind: "failed" }>,
  ids: ResponseIds,
): ResponseEvent[] {
  const error = { code: reply.code, message: reply.message };
  return [
    createdEvent(ids),
    { data: { type: "response.failed", response: { id: ids.response, status: "failed", error } } },
  ];
}

/** The beginning of a stream that will not be finished. */
export function createUnfinishedEvents(afterText: string | undefined, ids: ResponseIds): ResponseEvent[] {
  if (afterText === undefined) return [createdEvent(ids)];
  const item: MockItem = { type: "message", text: afterText, deltaChars: Math.max(1, afterText.length) };
  return [createdEvent(ids), ...createStreamingEvents(item, ids.item(0), 0)];
}

function createdEvent(ids: ResponseIds): ResponseEvent {
  return { data: { type: "response.created", response: { id: ids.response, status: "in_progress" } } };
}

function* createStreamingEvents(item: MockItem, id: string, position: number): Generator<ResponseEvent> {
  if ((item.type !== "message" && item.type !== "reasoning") || item.deltaChars === undefined) return;
  const place = { item_id: id, output_index: position };
  const empty =
    item.type === "message"
      ? { type: "message", id, role: "assistant", status: "in_progress", content: [] }
      : { type: "reasoning", id, summary: [] };
  yield { data: { type: "response.output_item.added", output_index: position, item: empty } };
  if (item.type === "reasoning") {
    const part = { type: "summary_text", text: "" };
    yield { data: { type: "response.reasoning_summary_part.added", ...place, summary_index: 0, part } };
  }
  const text = item.type === "message" ? item.text : item.summary;
  for (const delta of cutText(text, item.deltaChars)) {
    const data =
      item.type === "message"
        ? { type: "response.output_text.delta", ...place, content_index: 0, delta }
        : { type: "response.reasoning_summary_text.delta", ...place, summary_index: 0, delta };
    yield item.deltaDelayMs === undefined ? { data } : { delayMs: item.deltaDelayMs, data };
  }
}

/** Cuts by code points, so that no piece ends in half a surrogate pair. */
function cutText(text: string, size: number): string[] {
  const points = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < points.length; at += size) pieces.push(points.slice(at, at + size).join(""));
  return pieces;
}

function toOutputItem(item: MockItem, ids: ResponseIds, position: number): Record<string, unknown> {
  const id = ids.item(position);
  switch (item.type) {
    case "message": {
      const content = [{ type: "output_text", text: item.text, annotations: [] }];
      return { type: "message", id, role: "assistant", status: "completed", content };
    }
    case "reasoning":
      return { type: "reasoning", id, summary: [{ type: "summary_text", text: item.summary }] };
    case "function_call":
    case "custom_tool_call": {
      const { callId = ids.call(position), ...call } = item;
      return { ...call, id, call_id: callId, status: "completed" };
    }
  }
}

function toUsage(usage: MockUsage = defaultUsage): Record<string, unknown> {
  const { inputTokens = 0, cachedInputTokens = 0, outputTokens = 0, reasoningTokens = 0 } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}
