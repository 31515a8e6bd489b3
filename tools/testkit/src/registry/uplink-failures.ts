import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http";

/** One request to the uplink that brought nothing. */
interface Failure {
  /** Undefined where the proxy did not let a request through, whatever it was for. */
  packageName: string | undefined;
  reason: string;
  /** Grows with every failure of the process. */
  order: number;
}

/**
 * verdaccio answers "no such package" whatever went wrong at the uplink, so that a dead network looks
 * like a typing error. This watches the process's outgoing HTTP requests and turns such an answer into a
 * 502 that says what the uplink did.
 */
export interface UplinkFailures {
  /** Call before verdaccio handles the request. */
  explain(request: IncomingMessage, response: ServerResponse): void;
}

/** Failures are kept for the packages that clients ask for right now, so the list stays short. */
const keptFailures = 1000;

export function watchUplinkFailures(onFailure: (text: string) => void): UplinkFailures {
  const failures: Failure[] = [];
  let order = 0;
  const add = (request: ClientRequest, what: string) => {
    const isTunnel = request.method === "CONNECT";
    const reason = isTunnel ? describeTunnel(request, what) : describeRequest(request, what);
    const packageName = isTunnel ? undefined : readPackageName(request.path);
    failures.push({ packageName, reason, order: ++order });
    if (failures.length > keptFailures) failures.shift();
    onFailure(reason);
  };
  subscribe("http.client.request.start", (message) => {
    const { request } = message as { request: ClientRequest };
    if (request.method !== "CONNECT") return;
    // A tunnel through a proxy is no response for Node, and what goes through it is a request of its own. First in
    // line: the next listener passes the failure on and removes all others.
    request.prependOnceListener("connect", ({ statusCode }: IncomingMessage) => {
      if (statusCode !== 200) add(request, `HTTP ${statusCode}`);
    });
  });
  subscribe("http.client.request.error", (message) => {
    const { request, error } = message as { request: ClientRequest; error: Error };
    add(request, describeError(error));
  });
  subscribe("http.client.response.finish", (message) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    const status = response.statusCode ?? 0;
    if (status >= 400 && status !== 404) add(request, `HTTP ${status}`);
  });
  return {
    explain(request, response) {
      if (request.method !== "GET" && request.method !== "HEAD") return;
      const packageName = readPackageName(request.url ?? "/");
      const before = order;
      replaceVagueAnswer(response, () =>
        failures.findLast(
          (failure) => failure.order > before && [packageName, undefined].includes(failure.packageName),
        ),
      );
    },
  };
}

const marker = "the uplink did not deliver";

/** Whether a line of the log is a reason given here. */
export function isUplinkFailure(line: string): boolean {
  return line.startsWith(marker);
}

function describeRequest(request: ClientRequest, what: string): string {
  const url = `${request.protocol}//${request.getHeader("host") ?? request.host}${request.path}`;
  return `${marker} ${url}: ${what}`;
}

function describeTunnel(request: ClientRequest, what: string): string {
  return `${marker} anything of ${request.path}, behind the proxy ${request.host}: ${what}`;
}

/**
 * The decision falls when the headers are written and not at `end`, because verdaccio's compression
 * writes them on its way to `end`. The body that was meant for the other status is dropped.
 */
function replaceVagueAnswer(response: ServerResponse, findFailure: () => Failure | undefined): void {
  const { writeHead, write, end } = response;
  let replacement: string | undefined;
  response.writeHead = (...args: unknown[]) => {
    const failure = isVagueStatus(args[0]) ? findFailure() : undefined;
    if (failure === undefined) return Reflect.apply(writeHead, response, args);
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    replacement = JSON.stringify({ error: failure.reason });
    return Reflect.apply(writeHead, response, [
      502,
      { "content-type": "application/json", "content-length": Buffer.byteLength(replacement) },
    ]);
  };
  response.write = (...args: unknown[]) =>
    replacement === undefined ? Reflect.apply(write, response, args) : true;
  response.end = (...args: unknown[]) => {
    if (isVagueStatus(response.statusCode) && !response.headersSent) response.writeHead(response.statusCode);
    return Reflect.apply(end, response, replacement === undefined ? args : [replacement]);
  };
}

/** What verdaccio says when the uplink failed: of a package 404, or 503 after a timeout; of a tarball 500. */
function isVagueStatus(status: unknown): boolean {
  return status === 404 || status === 500 || status === 503;
}

/** `/@scope%2fname/-/file.tgz?x` → `@scope/name`; the uplink's own base path is left in front. */
function readPackageName(url: string): string {
  const path = decodeURIComponent(url.split("?", 1)[0] ?? "").replace(/\/-\/.*$/, "");
  return /(@[^/]+\/)?[^/]+$/.exec(path)?.[0] ?? "";
}

function describeError(error: Error): string {
  // Node puts the failures of both address families into one error without a message.
  const first = error instanceof AggregateError ? (error.errors[0] as Error | undefined) : undefined;
  return (first ?? error).message;
}
