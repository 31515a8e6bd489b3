import { redact } from "@codex-js/cli-kit";
import { v8Error } from "../v8-error.ts";
import { AttemptFailure } from "./attempt-failure.ts";
import { ProxyFailure } from "./proxy-failure.ts";

/** No connection came about, and a second look may find one. */
const unreachable = new Set([
  ..."ENOTFOUND EAI_AGAIN ECONNREFUSED ENETUNREACH ENETDOWN EHOSTUNREACH EHOSTDOWN EADDRNOTAVAIL".split(" "),
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_PRX_CONN",
]);

/** Nobody is there to whom one may speak, however often one asks. */
const refusedForGood =
  /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EACCES$|EPERM$|UND_ERR_ABORTED$)/;

const redirects = new Set(["UND_ERR_REDIRECT_MAX", "UND_ERR_INVALID_ARG"]);

const networkHint =
  "connect to the network (HTTPS_PROXY, NODE_EXTRA_CA_CERTS), or name a mirror: --mirror, CODEX_JS_V8_MIRROR";

const proxyHint =
  "mend HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, leave the host out with NO_PROXY, or name a mirror: --mirror, CODEX_JS_V8_MIRROR";

/** What an error of the HTTP client means for the file that was asked for. */
export function classifyError(error: unknown, url: URL): Error {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (redirects.has(code)) {
    return v8Error("CODEX_JS_V8_REDIRECT", `${describeUrl(url)} redirects without an end`, {
      hint: "see what the mirror's URL leads to in a browser",
      cause: error,
    });
  }
  if (unreachable.has(code) || refusedForGood.test(code)) {
    // An abort that we did not ask for is the proxy's refusal, told in words only.
    const reason = code === "UND_ERR_ABORTED" ? redact(message) : code;
    const isProxys = error instanceof ProxyFailure;
    const what = isProxys ? describeProxyFailure(error, url) : `${url.host} cannot be reached`;
    const failure = v8Error("CODEX_JS_V8_NO_NETWORK", `${what} (${reason})`, {
      hint: isProxys ? proxyHint : networkHint,
      cause: error,
    });
    return unreachable.has(code) ? new AttemptFailure("unreachable", failure) : failure;
  }
  // Everything else happened on a connection: reset, closed too early, no HTTP, too slow.
  const failure = v8Error(
    "CODEX_JS_V8_BROKEN_DOWNLOAD",
    `${describeUrl(url)} broke off each time (${code || redact(message)})`,
    { hint: "run the same command again", cause: error },
  );
  return new AttemptFailure("broken", failure);
}

function describeProxyFailure({ proxy, isReached }: ProxyFailure, url: URL): string {
  return isReached
    ? `the proxy ${proxy} does not lead to ${url.host}`
    : `the proxy ${proxy}, which stands before ${url.host}, cannot be reached`;
}

/** Without its query, where servers put signatures, and without credentials. */
export function describeUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
