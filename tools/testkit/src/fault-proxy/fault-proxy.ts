import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createFaultPlan, type Fault, type FaultRule } from "./plan.ts";

export interface FaultProxyOptions {
  /** Default 0: a free one. */
  port?: number;
  /** Aborting it closes the proxy. */
  signal?: AbortSignal;
}

export interface ProxiedRequest {
  method: string;
  /** Decoded, with its query. */
  path: string;
  /** The fault's type; undefined for a request that was passed on untouched. */
  fault: Fault["type"] | undefined;
}

export interface FaultProxy extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/`; a path of the target's URL is kept behind it. */
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: readonly ProxiedRequest[];
  /** Breaks every open connection and frees the port. */
  close(): Promise<void>;
}

const host = "127.0.0.1";

/**
 * A reverse proxy on loopback that misbehaves by plan. `targetUrl` is plain http on this machine: the
 * Host header is passed on as it came, so that a registry names the proxy in the tarball URLs it writes.
 */
export async function startFaultProxy(
  targetUrl: string,
  rules: readonly FaultRule[],
  options: FaultProxyOptions = {},
): Promise<FaultProxy> {
  options.signal?.throwIfAborted();
  const target = new URL(targetUrl);
  const plan = createFaultPlan(rules);
  const requests: ProxiedRequest[] = [];
  const agent = new Agent({ keepAlive: true });
  const closing = new AbortController();

  const server = createServer((incoming, response) => {
    const method = incoming.method ?? "GET";
    const path = decodePath(incoming.url ?? "/");
    const fault = plan.take(method, path);
    requests.push({ method, path, fault: fault?.type });
    const send = { incoming, response, target, agent, closing: closing.signal };
    serve(send, fault).catch(() => response.destroy());
  });
  server.listen(options.port ?? 0, host);
  await once(server, "listening");

  let closed: Promise<void> | undefined;
  const close = () => {
    options.signal?.removeEventListener("abort", close);
    closed ??= new Promise<void>((resolve) => {
      closing.abort();
      server.close(() => resolve());
      server.closeAllConnections();
      agent.destroy();
    });
    return closed;
  };
  options.signal?.addEventListener("abort", close, { once: true });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}${target.pathname}`,
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Exchange {
  incoming: IncomingMessage;
  response: ServerResponse;
  target: URL;
  agent: Agent;
  closing: AbortSignal;
}

async function serve(exchange: Exchange, fault: Fault | undefined): Promise<void> {
  switch (fault?.type) {
    case undefined:
      return passOn(exchange);
    case "delay":
      await sleep(fault.ms, undefined, { signal: exchange.closing });
      return passOn(exchange);
    case "status":
      await drain(exchange.incoming);
      return answer(exchange.response, fault.status, fault.body, fault.headers);
    case "storeThenStatus":
      await drain(await askTarget(exchange));
      return answer(exchange.response, fault.status, fault.body);
    case "cut":
      if (fault.afterBytes === undefined) exchange.incoming.destroy();
      else await passOnPart(exchange, fault.afterBytes);
      return;
  }
}

async function askTarget({ incoming, target, agent, closing }: Exchange): Promise<IncomingMessage> {
  const outgoing = request({
    agent,
    host: target.hostname,
    port: target.port,
    method: incoming.method,
    path: incoming.url,
    headers: incoming.headers,
    signal: closing,
  });
  incoming.pipe(outgoing);
  const [answered] = (await once(outgoing, "response")) as [IncomingMessage];
  return answered;
}

async function passOn(exchange: Exchange): Promise<void> {
  const { response } = exchange;
  const answered = await askTarget(exchange);
  response.writeHead(answered.statusCode ?? 502, answered.headers);
  answered.on("error", () => response.destroy()).pipe(response);
}

async function passOnPart(exchange: Exchange, bytes: number): Promise<void> {
  const { response } = exchange;
  const answered = await askTarget(exchange);
  response.writeHead(answered.statusCode ?? 502, answered.headers);
  response.flushHeaders();
  let left = bytes;
  for await (const chunk of answered as AsyncIterable<Buffer>) {
    const part = chunk.subarray(0, left);
    left -= part.length;
    await new Promise((resolve) => response.write(part, resolve));
    if (left === 0) break;
  }
  response.destroy();
}

async function drain(message: IncomingMessage): Promise<void> {
  for await (const _ of message) {
    // The body is of no interest, its end is.
  }
}

function answer(
  response: ServerResponse,
  status: number,
  body: unknown = { error: `fault ${status}` },
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** A path that is no valid encoding is matched as it came. */
function decodePath(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
