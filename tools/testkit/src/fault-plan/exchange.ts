import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from "node:http";

/** A request whose body has come in full. */
export interface PlainRequest {
  method: string;
  /** Path and query as they were sent. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** An answer whose body is known in full; content-encoding is none. */
export interface PlainAnswer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

export function sendAnswer(response: ServerResponse, answer: PlainAnswer): void {
  response.writeHead(answer.status, withLength(answer));
  response.end(answer.body);
}

/** Sends the head as if all came, `bytes` of the body, and breaks the connection. */
export async function sendPart(response: ServerResponse, answer: PlainAnswer, bytes: number): Promise<void> {
  response.writeHead(answer.status, withLength(answer));
  response.flushHeaders();
  const part = answer.body.subarray(0, bytes);
  if (part.length > 0) await new Promise((resolve) => response.write(part, resolve));
  response.destroy();
}

export function createJsonAnswer(
  status: number,
  body: unknown = { error: `fault ${status}`, message: `fault ${status}` },
  headers: Record<string, string> = {},
): PlainAnswer {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { status, headers: { "content-type": "application/json", ...headers }, body: Buffer.from(text) };
}

function withLength({ headers, body, status }: PlainAnswer): OutgoingHttpHeaders {
  const { "transfer-encoding": _, ...kept } = headers;
  // HEAD's and 204's length is what the server says, or nothing.
  return body.length === 0 || status === 204 ? kept : { ...kept, "content-length": body.length };
}
