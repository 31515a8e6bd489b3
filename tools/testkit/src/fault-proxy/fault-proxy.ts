import {
  createFaultedTraffic,
  type ExchangeHook,
  type FaultRule,
  type JournalEntry,
} from "../fault-plan/index.ts";
import { createProxyTarget } from "./proxy-target.ts";

export interface FaultProxyOptions {
  /** Default 0: a free one. */
  port?: number;
  onExchange?: ExchangeHook;
  /** Aborting it closes the proxy. */
  signal?: AbortSignal;
}

export interface FaultProxy extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/`; a path of the target's URL is kept behind it. */
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: readonly JournalEntry[];
  /** Replaces the plan; what the old one counted is forgotten. */
  setFaults(rules: readonly FaultRule[]): void;
  /** Breaks every open connection and frees the port. */
  close(): Promise<void>;
}

/**
 * A reverse proxy on loopback that misbehaves by plan. `targetUrl` is plain http on this machine: the
 * Host header is passed on as it came, so that a registry names the proxy in the tarball URLs it writes.
 * Bodies are held in memory.
 * @throws ToolError CODEX_JS_TESTKIT_BAD_FAULT_PLAN (usage), CODEX_JS_TESTKIT_PORT_UNUSABLE (external)
 */
export async function startFaultProxy(
  targetUrl: string,
  rules: readonly FaultRule[],
  options: FaultProxyOptions = {},
): Promise<FaultProxy> {
  options.signal?.throwIfAborted();
  const traffic = createFaultedTraffic(rules, options.onExchange);
  const target = createProxyTarget(new URL(targetUrl), traffic.closing);
  const origin = await traffic.listen(options.port ?? 0, target);

  let closed: Promise<void> | undefined;
  const close = () => {
    options.signal?.removeEventListener("abort", close);
    closed ??= traffic.close().finally(() => target.close());
    return closed;
  };
  options.signal?.addEventListener("abort", close, { once: true });
  return {
    url: `${origin}${new URL(targetUrl).pathname}`,
    requests: traffic.requests,
    setFaults: traffic.setFaults,
    close,
    [Symbol.asyncDispose]: close,
  };
}
