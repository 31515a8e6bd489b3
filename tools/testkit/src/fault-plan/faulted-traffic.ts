import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { applyFault, type FaultedServer, type Outcome } from "./apply-fault.ts";
import { type PlainRequest, sendAnswer, sendPart } from "./exchange.ts";
import type { Exchange, ExchangeHook } from "./exchange-hook.ts";
import { createFaultPlan, decodePath, type FaultPlan } from "./fault-plan.ts";
import type { FaultKind, FaultRule } from "./schema.ts";

export interface JournalEntry extends Exchange {
  /** Undefined for a request that was served untouched. */
  fault: FaultKind | undefined;
  /** What the client was answered; undefined before the answer, and for a connection that was cut. */
  status: number | undefined;
}

/** What several listeners of one server have in common. */
export interface FaultedTraffic {
  readonly requests: readonly JournalEntry[];
  /** Replaces the plan; what the old one counted is forgotten. */
  setFaults(rules: readonly FaultRule[]): void;
  /** Ends what waits; {@link FaultedServer.closing} of the server. */
  readonly closing: AbortSignal;
  /**
   * Opens a port of 127.0.0.1 and resolves with its origin; 0 for a free one.
   * @throws ToolError CODEX_JS_TESTKIT_PORT_UNUSABLE (external)
   */
  listen(port: number, server: Omit<FaultedServer, "closing">): Promise<string>;
  /** Breaks every open connection and frees the ports. */
  close(): Promise<void>;
}

const host = "127.0.0.1";

/** @throws ToolError CODEX_JS_TESTKIT_BAD_FAULT_PLAN (usage) */
export function createFaultedTraffic(
  rules: readonly FaultRule[],
  hook: ExchangeHook = () => undefined,
): FaultedTraffic {
  let plan = createFaultPlan(rules);
  const requests: JournalEntry[] = [];
  const abort = new AbortController();
  const closers: (() => Promise<void>)[] = [];
  return {
    requests,
    closing: abort.signal,
    setFaults: (next) => {
      plan = createFaultPlan(next);
    },
    listen: async (port, { serve, breakOff }) => {
      const server = { serve, breakOff, closing: abort.signal };
      const listener = createServer((incoming, response) => {
        const entry = noteRequest(requests, incoming);
        handle({ incoming, response, entry, plan, hook, server }).catch(() => response.destroy());
      });
      listener.listen(port, host);
      await once(listener, "listening").catch((cause) => {
        throw createPortError(port, cause);
      });
      closers.push(
        () =>
          new Promise((resolve) => {
            listener.close(() => resolve());
            listener.closeAllConnections();
          }),
      );
      return `http://${host}:${(listener.address() as AddressInfo).port}`;
    },
    close: async () => {
      abort.abort();
      await Promise.all(closers.map((close) => close()));
    },
  };
}

function createPortError(port: number, cause: Error): ToolError {
  return new ToolError({
    code: "CODEX_JS_TESTKIT_PORT_UNUSABLE",
    message: `port ${port} of ${host} cannot be listened on`,
    hint: "leave the port out to get a free one, or end what listens there",
    exitCode: exitCodes.external,
    cause,
  });
}

function noteRequest(requests: JournalEntry[], { method = "GET", url = "/" }: IncomingMessage): JournalEntry {
  const entry = {
    number: requests.length + 1,
    method,
    path: decodePath(url),
    fault: undefined,
    status: undefined,
  };
  requests.push(entry);
  return entry;
}

interface Handling {
  incoming: IncomingMessage;
  response: ServerResponse;
  entry: JournalEntry;
  plan: FaultPlan;
  hook: ExchangeHook;
  server: FaultedServer;
}

async function handle(handling: Handling): Promise<void> {
  const { incoming, response, entry, plan, hook, server } = handling;
  const { request, isWhole } = await receive(incoming);
  const { number, method, path } = entry;
  const exchange = { number, method, path };
  if ((await hook("received", exchange)) === "drop") return void response.destroy();
  // The client has gone within its body.
  if (!isWhole) return server.breakOff(request, request.body.length);
  const strike = plan.take(method, request.url);
  entry.fault = strike?.kind;
  const outcome: Outcome =
    strike === undefined
      ? { answer: await server.serve(request) }
      : await applyFault(strike, request, server);
  if ((await hook("done", exchange)) === "drop" || outcome === "cut") return void response.destroy();
  const { answer, cutAfterBytes } = outcome;
  entry.status = answer.status;
  if (cutAfterBytes === undefined) sendAnswer(response, answer);
  else await sendPart(response, answer, cutAfterBytes);
}

async function receive(incoming: IncomingMessage): Promise<{ request: PlainRequest; isWhole: boolean }> {
  const { method = "GET", url = "/", headers } = incoming;
  const chunks: Buffer[] = [];
  const isWhole = await (async () => {
    try {
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
      return true;
    } catch {
      return false;
    }
  })();
  return { request: { method, url, headers, body: Buffer.concat(chunks) }, isWhole };
}
