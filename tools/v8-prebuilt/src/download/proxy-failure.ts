import { type buildConnector, Pool } from "undici";

/** It is the proxy that cannot be reached, or that leads no further; what the client says does not tell. */
export class ProxyFailure extends Error {
  /** Without its credentials. */
  readonly proxy: string;
  readonly code: string;
  /** It was there, and refused or broke off. */
  readonly isReached: boolean;

  constructor(proxy: string, cause: NodeJS.ErrnoException, isReached: boolean) {
    super(cause.message, { cause });
    this.name = "ProxyFailure";
    this.proxy = proxy;
    this.code = cause.code ?? "";
    this.isReached = isReached;
  }
}

/** Errors of connections to proxies, with whose they are. */
const failed = new WeakMap<object, string>();

/** Connections to a proxy, or to whatever `origin` is; `proxies` are all that there are. */
export function createPool(origin: string | URL, options: object, proxies: readonly string[]): Pool {
  const { href } = new URL(origin);
  const { connect } = options as Pool.Options;
  if (typeof connect !== "function" || !proxies.includes(href)) return new Pool(origin, options);
  return new Pool(origin, { ...options, connect: blameProxy(connect, nameProxy(href)) });
}

function blameProxy(connect: buildConnector.connector, proxy: string): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...outcome) => {
      if (outcome[0] !== null) failed.set(outcome[0], proxy);
      callback(...outcome);
    });
}

/** A proxy that did not want to make a tunnel, or closed the connection in place of an answer. */
const tunnelFailures = new Set(["UND_ERR_ABORTED", "UND_ERR_PRX_CONN"]);

/** @param tunnelProxy the one that is asked for tunnels */
export function findProxyFailure(error: unknown, tunnelProxy: string | undefined): ProxyFailure | undefined {
  const cause = error as NodeJS.ErrnoException;
  const proxy = failed.get(cause);
  if (proxy !== undefined) return new ProxyFailure(proxy, cause, false);
  if (tunnelProxy === undefined || !tunnelFailures.has(cause.code ?? "")) return undefined;
  return new ProxyFailure(nameProxy(tunnelProxy), cause, true);
}

function nameProxy(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
