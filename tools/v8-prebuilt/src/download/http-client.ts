import type { CliContext } from "@codex-js/cli-kit";
import { type Dispatcher, EnvHttpProxyAgent, interceptors, request } from "undici";
import type { DownloadPolicy } from "../limits.ts";
import { v8Error } from "../v8-error.ts";
import { createPool, findProxyFailure } from "./proxy-failure.ts";

/** What a server answered after all redirects; its body is not read yet. */
export interface HttpAnswer {
  status: number;
  /** In lower case; of one that came several times the first. */
  header(name: string): string | undefined;
  /** Where the answer came from. */
  url: URL;
  /** Where the redirects led from, in order; empty without any. */
  redirectedFrom: readonly URL[];
  body: AsyncIterable<Uint8Array>;
  /** Ends the connection without reading the body. */
  discard(): Promise<void>;
}

export interface HttpClient extends AsyncDisposable {
  get(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<HttpAnswer>;
}

/**
 * Connections through the proxies that the environment names, with the policy's time-outs, redirects
 * followed. Retries are not its business: undici's own RetryAgent knows neither jitter nor what is on disk
 * already, and gives up where a server ignores a range.
 * @throws ToolError CODEX_JS_V8_PROXY (usage)
 */
export function createHttpClient({ env }: Pick<CliContext, "env">, policy: DownloadPolicy): HttpClient {
  const proxies = readProxies(env);
  const agent = createAgent(proxies, policy);
  const dispatcher = agent.compose(
    interceptors.redirect({ maxRedirections: policy.maxRedirects, throwOnMaxRedirect: true }),
  );
  return {
    async get(url, headers, signal) {
      try {
        return toAnswer(url, await request(url, { dispatcher, headers, signal }));
      } catch (error) {
        throw findProxyFailure(error, proxies.https || proxies.http || undefined) ?? error;
      }
    },
    // Kept-alive connections would keep the process; nothing is under way any more.
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

/** Empty and not undefined, for which the agent would look into the process's environment. */
interface Proxies {
  http: string;
  /** Without one that for http is asked. */
  https: string;
  except: string;
}

function readProxies(env: NodeJS.ProcessEnv): Proxies {
  const read = (name: string) => env[name.toLowerCase()] || env[name];
  const all = read("ALL_PROXY");
  return {
    http: read("HTTP_PROXY") ?? all ?? "",
    https: read("HTTPS_PROXY") ?? all ?? "",
    except: read("NO_PROXY") ?? "",
  };
}

function createAgent({ http, https, except }: Proxies, policy: DownloadPolicy): EnvHttpProxyAgent {
  const connection = { timeout: policy.connectTimeoutMs };
  try {
    const proxies = [http, https].filter((url) => url !== "").map((url) => new URL(url).href);
    const factory = (origin: string | URL, options: object) => createPool(origin, options, proxies);
    return new EnvHttpProxyAgent({
      httpProxy: http,
      httpsProxy: https,
      noProxy: except,
      factory,
      clientFactory: factory,
      connect: connection,
      proxyTls: connection,
      requestTls: connection,
      headersTimeout: policy.headersTimeoutMs,
      bodyTimeout: policy.idleTimeoutMs,
    });
  } catch (cause) {
    throw v8Error("CODEX_JS_V8_PROXY", "a proxy in the environment cannot be used", {
      hint: "mend HTTP_PROXY, HTTPS_PROXY or ALL_PROXY: http://HOST:PORT",
      cause,
    });
  }
}

function toAnswer(url: URL, { statusCode, headers, body, context }: Dispatcher.ResponseData): HttpAnswer {
  const { history = [] } = (context ?? {}) as { history?: URL[] };
  const redirectedFrom = history.slice(0, -1);
  return {
    status: statusCode,
    header(name) {
      const value = headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    url: history.at(-1) ?? url,
    redirectedFrom,
    body,
    async discard() {
      body.on("error", () => {}).destroy();
    },
  };
}
