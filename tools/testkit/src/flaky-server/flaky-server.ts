import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Behaviour } from "./behaviour.ts";
import { type ByteRange, parseByteRange } from "./byte-range.ts";

export interface FlakyFile {
  content: Uint8Array;
  /** One for each request in order, the last one for all that follow; default: always served. */
  behaviours?: readonly Behaviour[];
  /** Whether ranges are honoured, and said to be; default true. */
  acceptsRanges?: boolean;
  /** Strong validator, with its quotes; default none. */
  etag?: string;
}

export interface FlakyServerOptions {
  /** By path, `/folder/file`. Everything else is a 404. */
  files: Readonly<Record<string, FlakyFile>>;
}

export interface FlakyRequest {
  method: string;
  /** As it came, with its query. */
  path: string;
  /** Of the request; undefined where it had none. */
  range: string | undefined;
  ifRange: string | undefined;
  /** `user:password` in base64, or whatever the client sent. */
  authorization: string | undefined;
  behaviour: Behaviour["type"];
}

export interface FlakyServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: readonly FlakyRequest[];
  /** Breaks every open connection and frees the port. */
  close(): Promise<void>;
}

const host = "127.0.0.1";
const serve: Behaviour = { type: "serve" };

/**
 * An HTTP server on loopback that has a few files and hands them out as badly as it is told: for whatever
 * downloads. Where something real stands behind and only some answers shall go wrong, see `fault-proxy`.
 */
export async function startFlakyServer({ files }: FlakyServerOptions): Promise<FlakyServer> {
  const requests: FlakyRequest[] = [];
  const counts = new Map<string, number>();

  const takeBehaviour = (path: string): Behaviour => {
    const behaviours = files[path]?.behaviours ?? [serve];
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    return behaviours[Math.min(count, behaviours.length - 1)] ?? serve;
  };

  const server = createServer((request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const path = url.split("?", 1)[0]!;
    const behaviour = takeBehaviour(path);
    const { range, "if-range": ifRange, authorization } = headers;
    requests.push({
      method,
      path: url,
      range,
      ifRange: ifRange?.toString(),
      authorization,
      behaviour: behaviour.type,
    });
    answer(request, response, files[path], behaviour).catch(() => response.destroy());
  });
  server.listen(0, host);
  await once(server, "listening");

  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  file: FlakyFile | undefined,
  behaviour: Behaviour,
): Promise<void> {
  if (file === undefined) return end(response, 404, "no such file\n");
  switch (behaviour.type) {
    case "serve":
      return send(request, response, file);
    case "status":
      return end(response, behaviour.status, behaviour.body ?? "", behaviour.headers);
    case "redirect":
      return end(response, behaviour.status ?? 302, "", { location: behaviour.location });
    case "cut":
      await send(request, response, file, behaviour.afterBytes);
      response.destroy();
      return;
    case "stall":
      return send(request, response, file, behaviour.afterBytes);
    case "truncate":
      return send(request, response, { ...file, content: file.content.subarray(0, behaviour.bytes) });
    case "silence":
      return;
  }
}

function end(response: ServerResponse, status: number, body: string, headers = {}): void {
  response.writeHead(status, { "content-type": "text/plain", ...headers }).end(body);
}

/** With `onlyBytes`, the headers promise everything and the body stops there, without an end. */
async function send(
  request: IncomingMessage,
  response: ServerResponse,
  file: FlakyFile,
  onlyBytes?: number,
): Promise<void> {
  const { content } = file;
  const range = findRange(request, file);
  if (range === null) return end(response, 416, "", { "content-range": `bytes */${content.length}` });
  const { start, end: stop } = range ?? { start: 0, end: content.length };
  response.writeHead(range === undefined ? 200 : 206, {
    "content-type": "application/octet-stream",
    "content-length": stop - start,
    ...(file.acceptsRanges === false ? {} : { "accept-ranges": "bytes" }),
    ...(file.etag === undefined ? {} : { etag: file.etag }),
    ...(range === undefined ? {} : { "content-range": `bytes ${start}-${stop - 1}/${content.length}` }),
  });
  if (onlyBytes === undefined) {
    response.end(content.subarray(start, stop));
    return;
  }
  response.flushHeaders();
  const part = content.subarray(start, Math.min(start + onlyBytes, stop));
  if (part.length > 0) await new Promise((resolve) => response.write(part, resolve));
}

function findRange({ headers }: IncomingMessage, file: FlakyFile): ByteRange | undefined | null {
  if (file.acceptsRanges === false) return undefined;
  const ifRange = headers["if-range"];
  if (ifRange !== undefined && ifRange !== file.etag) return undefined;
  return parseByteRange(headers.range, file.content.length);
}
