import { setTimeout as sleep } from "node:timers/promises";
import { createJsonAnswer, type PlainAnswer, type PlainRequest } from "./exchange.ts";
import type { Strike } from "./fault-plan.ts";
import { isRead } from "./schema.ts";
import { corruptAnswer, corruptRequest } from "./wrong-bytes.ts";

/** What is behind the faults: a server in this process, or one at the other end of a connection. */
export interface FaultedServer {
  serve(request: PlainRequest): Promise<PlainAnswer>;
  /** Lets `request` arrive and break off after so many bytes of its body. */
  breakOff(request: PlainRequest, afterBytes: number): Promise<void>;
  /** Ends what waits. */
  closing: AbortSignal;
}

/** What the client gets; `cutAfterBytes`: so much of the answer's body, and then the end of the connection. */
export type Outcome = { answer: PlainAnswer; cutAfterBytes?: number } | "cut";

export async function applyFault(
  strike: Strike,
  request: PlainRequest,
  server: FaultedServer,
): Promise<Outcome> {
  const { fault, lateReads } = strike;
  if ("status" in fault) return { answer: createJsonAnswer(fault.status, fault.body, fault.headers) };
  if ("cut" in fault) return cut(fault.cut, request, server);
  if ("delayMs" in fault) {
    await sleep(fault.delayMs, undefined, { signal: server.closing });
    return { answer: await server.serve(request) };
  }
  if ("wrongBytes" in fault) {
    if (!isRead(request.method)) return { answer: await server.serve(corruptRequest(request)) };
    return { answer: corruptAnswer(await server.serve(request)) };
  }
  const answer = await server.serve(lateReads === undefined ? request : withoutConditions(request));
  if ("storedButError" in fault) return { answer: createJsonAnswer(fault.storedButError, fault.body) };
  return { answer: lateReads?.delay(request, answer) ?? answer };
}

/** "Not modified" would be about another answer than the one that the client was shown. */
function withoutConditions(request: PlainRequest): PlainRequest {
  const { "if-none-match": _, "if-modified-since": __, ...headers } = request.headers;
  return { ...request, headers };
}

async function cut(
  where: Extract<Strike["fault"], { cut: unknown }>["cut"],
  request: PlainRequest,
  server: FaultedServer,
): Promise<Outcome> {
  if (where === "request") return "cut";
  if (where === "answer") {
    await server.serve(request);
    return "cut";
  }
  if ("answerAfterBytes" in where) {
    return { answer: await server.serve(request), cutAfterBytes: where.answerAfterBytes };
  }
  await server.breakOff(request, where.requestAfterBytes);
  return "cut";
}
