import type { ExchangeHook, FaultRule, JournalEntry } from "../fault-plan/index.ts";
import { startFaultProxy } from "../fault-proxy/index.ts";
import { createNpmrc, writeNpmrc } from "./npmrc.ts";
import { type Registry, type RegistryOptions, startRegistry } from "./registry.ts";

export interface FaultyRegistryOptions extends RegistryOptions {
  faults?: readonly FaultRule[];
  onExchange?: ExchangeHook;
}

export interface FaultyRegistry extends Registry {
  /** Past every fault and not in the journal: for a test to see what is really there. */
  readonly directUrl: string;
  /** Every request so far, in order. */
  readonly requests: readonly JournalEntry[];
  /** Replaces the plan; what the old one counted is forgotten. */
  setFaults(rules: readonly FaultRule[]): void;
}

/**
 * A registry that misbehaves by plan: a proxy is in front of it, on the `port` that was asked for.
 * @throws ToolError as `startRegistry` and `startFaultProxy`
 */
export async function startFaultyRegistry(options: FaultyRegistryOptions): Promise<FaultyRegistry> {
  const { faults = [], onExchange, port, ...rest } = options;
  const registry = await startRegistry(rest);
  try {
    const proxy = await startFaultProxy(registry.url, faults, {
      ...(port === undefined ? {} : { port }),
      ...(onExchange === undefined ? {} : { onExchange }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const close = async () => {
      await proxy.close();
      await registry.close();
    };
    return {
      ...registry,
      url: proxy.url,
      directUrl: registry.url,
      npmrc: () => createNpmrc(proxy.url),
      writeUserconfig: (dir) => writeNpmrc(proxy.url, dir),
      requests: proxy.requests,
      setFaults: proxy.setFaults,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await registry.close();
    throw error;
  }
}
