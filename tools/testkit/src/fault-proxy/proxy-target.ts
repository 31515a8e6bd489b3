import { once } from "node:events";
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from "node:http";
import type { FaultedServer, PlainRequest } from "../fault-plan/index.ts";

/** The server at the other end of a connection. */
export function createProxyTarget(
  target: URL,
  closing: AbortSignal,
): Omit<FaultedServer, "closing"> & { close(): void } {
  const agent = new Agent({ keepAlive: true });
  const open = ({ method, url: path, headers }: PlainRequest) =>
    request({
      agent,
      host: target.hostname,
      port: target.port,
      method,
      path,
      headers: passOnHeaders(headers),
      signal: closing,
    });
  return {
    serve: async (asked) => {
      const outgoing = open(asked);
      outgoing.end(asked.body);
      const [answered] = (await once(outgoing, "response")) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of answered as AsyncIterable<Buffer>) chunks.push(chunk);
      const { "transfer-encoding": _, connection: __, "keep-alive": ___, ...headers } = answered.headers;
      return { status: answered.statusCode ?? 502, headers, body: Buffer.concat(chunks) };
    },
    breakOff: async (asked, afterBytes) => {
      const outgoing = open({
        ...asked,
        headers: { ...asked.headers, "content-length": asked.headers["content-length"] ?? String(2 ** 30) },
      });
      const ended = new Promise((resolve) => outgoing.once("error", resolve).once("close", resolve));
      await writePart(outgoing, asked.body.subarray(0, afterBytes));
      outgoing.destroy();
      await ended;
    },
    close: () => agent.destroy(),
  };
}

/** Resolves when the target has them, or when it does not want any more. */
async function writePart(outgoing: ClientRequest, part: Buffer): Promise<void> {
  outgoing.flushHeaders();
  const gone = new Promise((resolve) => outgoing.once("close", resolve).once("response", resolve));
  if (part.length > 0) await Promise.race([gone, new Promise((resolve) => outgoing.write(part, resolve))]);
}

/** Answers are looked into: they come uncompressed. The body's length is counted anew. */
function passOnHeaders(headers: PlainRequest["headers"]): OutgoingHttpHeaders {
  const { "accept-encoding": _, "transfer-encoding": __, expect: ___, ...passed } = headers;
  return passed;
}
