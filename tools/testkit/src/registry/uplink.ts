/** Where packages come from that nobody has published here. */
export interface Uplink {
  /** Base URL of a registry. */
  url: string;
  /** Bearer token for it. */
  token?: string;
  /** The value of a `Basic` authorization header; ignored where there is a token. */
  basicAuth?: string;
  /** PEM file that replaces Node's root certificates. NODE_EXTRA_CA_CERTS works without it. */
  cafile?: string;
  /** False accepts any certificate; default true. */
  strictSsl?: boolean;
  /** Proxy, for http and https alike; without it the proxy variables of the environment count. */
  proxy?: string;
  /** Comma-separated host suffixes that go past the proxies. */
  noProxy?: string;
  /** Registries of single scopes, by scope (`@openai`); they have none themselves. */
  scopes?: Record<string, Uplink>;
}
