import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface OtlpCollectorOptions {
  /** How long it keeps a sender waiting for the answer, in milliseconds; default 0. */
  delayMs?: number;
  /** Default 0: a free one. */
  port?: number;
  /** Aborting it closes the collector. */
  signal?: AbortSignal;
}

export interface OtlpRequest {
  /** `/v1/metrics`, `/v1/logs`, `/v1/traces`, or what the exporter was told. */
  path: string;
  bodyBytes: number;
}

export type OtlpSignal = "metrics" | "logs" | "traces";

export interface OtlpCollector extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Every request whose body has come, in order, whether answered yet or not. */
  readonly requests: readonly OtlpRequest[];
  /** An exporter's value for config.toml: `metrics_exporter = ${collector.exporterToml("metrics")}`. */
  exporterToml(signal: OtlpSignal): string;
  /** Breaks every open connection and frees the port. */
  close(): Promise<void>;
}

const host = "127.0.0.1";

/**
 * An OTLP/HTTP collector on loopback that takes everything and answers late: with 900 ms it makes the exit of
 * the engine as slow as the collector of its maker does, https://github.com/openai/codex/issues/40402.
 */
export async function startOtlpCollector(options: OtlpCollectorOptions = {}): Promise<OtlpCollector> {
  options.signal?.throwIfAborted();
  const delayMs = options.delayMs ?? 0;
  const requests: OtlpRequest[] = [];
  const timers = new Set<NodeJS.Timeout>();

  const server = createServer((request, response) => {
    let bodyBytes = 0;
    request.on("data", (chunk: Buffer) => {
      bodyBytes += chunk.length;
    });
    request.once("end", () => {
      requests.push({ path: request.url ?? "/", bodyBytes });
      const timer = setTimeout(() => {
        timers.delete(timer);
        accept(response);
      }, delayMs);
      timers.add(timer);
    });
  });
  server.listen(options.port ?? 0, host);
  await once(server, "listening");
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;

  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= new Promise<void>((resolve) => {
      options.signal?.removeEventListener("abort", close);
      for (const timer of timers) clearTimeout(timer);
      server.close(() => resolve());
      server.closeAllConnections();
    });
    return closed;
  };
  options.signal?.addEventListener("abort", close, { once: true });
  return {
    url,
    requests,
    exporterToml: (signal) => `{ otlp-http = { endpoint = "${url}/v1/${signal}", protocol = "json" } }`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The empty object is the whole answer of a collector that has nothing to complain about. */
function accept(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" }).end("{}");
}
