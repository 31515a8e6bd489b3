import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createConfigToml } from "./config-toml.ts";
import { type MockModelReply, reply } from "./reply.ts";
import { type MockModelRequest, readRequest } from "./request.ts";
import {
  createFailedEvents,
  createItemEvents,
  createResponseIds,
  createUnfinishedEvents,
  type ResponseEvent,
} from "./response-events.ts";

export interface MockModelOptions {
  /**
   * Decides the reply; `index` counts requests for a response from 0. Default: a message
   * `mock: <last user text>`. A throw becomes HTTP 500 with its message.
   */
  respond?: (request: MockModelRequest, index: number) => MockModelReply | Promise<MockModelReply>;
  /** Default `127.0.0.1`. */
  host?: string;
  /** Default 0: a free one. */
  port?: number;
  /** Aborting it closes the server. */
  signal?: AbortSignal;
}

export interface MockModel extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/v1`, as a provider's `base_url`. */
  readonly baseUrl: string;
  /** Requests for a response in the order they came; the ones that asked for anything else got a 404. */
  readonly requests: readonly MockModelRequest[];
  /**
   * A `config.toml` that makes the engine use this server, without retries and telemetry. A setting or
   * table that `extra` names (`[otel]`) takes the place of ours.
   */
  configToml(extra?: string): string;
  /** Breaks every open connection, those of hanging replies included, and frees the port. */
  close(): Promise<void>;
}

/** Starts an HTTP server that answers as the Responses API does, over server-sent events. */
export async function startMockModel(options: MockModelOptions = {}): Promise<MockModel> {
  options.signal?.throwIfAborted();
  const respond = options.respond ?? echoLastUserText;
  const host = options.host ?? "127.0.0.1";
  const requests: MockModelRequest[] = [];
  const closing = new AbortController();

  const server = createServer((message, response) => {
    handle(message, response).catch(() => response.destroy());
  });
  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    if (message.method !== "POST" || !/\/responses(\?|$)/.test(message.url ?? "")) {
      message.resume();
      return sendJson(response, 404, { error: { message: `no route for ${message.method} ${message.url}` } });
    }
    const request = await readRequest(message);
    const index = requests.push(request) - 1;
    await send(response, await decide(request, index), index, closing.signal);
  }
  async function decide(request: MockModelRequest, index: number): Promise<MockModelReply> {
    try {
      return await respond(request, index);
    } catch (error) {
      return reply.error(500, { error: { message: `respond() threw: ${String(error)}` } });
    }
  }

  server.listen(options.port ?? 0, host);
  await once(server, "listening");
  const baseUrl = `http://${host}:${(server.address() as AddressInfo).port}/v1`;

  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= new Promise<void>((resolve) => {
      options.signal?.removeEventListener("abort", close);
      closing.abort();
      server.close(() => resolve());
      server.closeAllConnections();
    });
    return closed;
  };
  options.signal?.addEventListener("abort", close, { once: true });
  return {
    baseUrl,
    requests,
    configToml: (extra) => createConfigToml(baseUrl, extra),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function echoLastUserText(request: MockModelRequest): MockModelReply {
  return reply.message(`mock: ${request.userTexts.at(-1) ?? ""}`);
}

async function send(
  response: ServerResponse,
  answer: MockModelReply,
  index: number,
  closing: AbortSignal,
): Promise<void> {
  if (answer.delayMs !== undefined) await sleep(answer.delayMs, undefined, { signal: closing });
  if (answer.kind === "error") return sendJson(response, answer.status, answer.body, answer.headers);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const ids = createResponseIds(index);
  switch (answer.kind) {
    case "items":
      await sendEvents(response, createItemEvents(answer, ids), closing);
      response.end();
      return;
    case "failed":
      await sendEvents(response, createFailedEvents(answer, ids), closing);
      response.end();
      return;
    case "hang":
      await sendEvents(response, createUnfinishedEvents(answer.afterText, ids), closing);
      return;
    case "cut":
      await sendEvents(response, createUnfinishedEvents(answer.afterText, ids), closing);
      response.destroy();
      return;
  }
}

async function sendEvents(
  response: ServerResponse,
  events: Iterable<ResponseEvent>,
  closing: AbortSignal,
): Promise<void> {
  for (const { delayMs, data } of events) {
    if (delayMs !== undefined) await sleep(delayMs, undefined, { signal: closing });
    await write(response, `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}

/** Resolves when the bytes have left this process, so that a cut comes after what was sent before it. */
function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(text, (error) => (error == null ? resolve() : reject(error)));
  });
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(text);
}
