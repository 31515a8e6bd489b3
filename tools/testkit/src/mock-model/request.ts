import type { IncomingMessage } from "node:http";

/** One request for a response, as the engine sent it. */
export interface MockModelRequest {
  /** With its query string, e.g. `/v1/responses`. */
  path: string;
  /** Names in lower case; repeated headers joined by `, `. */
  headers: Record<string, string>;
  /** The parsed JSON body. */
  body: unknown;
  /** Every text of every user message in the input, in order; the engine's own context texts included. */
  userTexts: string[];
}

/** Reads the body to its end. Rejects when the client goes away or the body is not JSON. */
export async function readRequest(message: IncomingMessage): Promise<MockModelRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  return {
    path: message.url ?? "/",
    headers: flattenHeaders(message),
    body,
    userTexts: collectUserTexts(body),
  };
}

function flattenHeaders(message: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(message.headersDistinct).map(([name, values]) => [name, (values ?? []).join(", ")]),
  );
}

function collectUserTexts(body: unknown): string[] {
  const input = isRecord(body) && Array.isArray(body.input) ? body.input : [];
  return input
    .filter((item): item is Record<string, unknown> => isRecord(item) && item.role === "user")
    .flatMap((item) => (Array.isArray(item.content) ? item.content : []))
    .flatMap((part: unknown) => (isRecord(part) && typeof part.text === "string" ? [part.text] : []));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
