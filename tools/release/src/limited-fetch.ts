import type { CliContext } from "@codex-js/cli-kit";

export interface FetchLimits {
  /** After this long without an answer it is said what is waited for. */
  announceMs: number;
  /** A whole attempt of a read, its body included. */
  readMs: number;
  /** The same of a request that sends or fetches a file. */
  fileMs: number;
}

/** How long a registry or GitHub may take for one attempt; what hangs longer is tried again or given up. */
export const fetchLimits: FetchLimits = { announceMs: 5000, readMs: 30_000, fileMs: 300_000 };

/** A `fetch` that ends what hangs, and says what it waits for before that. */
export function limitFetch(
  fetch: CliContext["fetch"],
  log: (line: string) => void,
  limits: FetchLimits = fetchLimits,
): CliContext["fetch"] {
  return async (input, init = {}) => {
    const { method, url } = describe(input, init);
    const limitMs = isFile(method, url) ? limits.fileMs : limits.readMs;
    const limit = new AbortController();
    const reason = new Error(`no answer within ${limitMs / 1000} s`);
    // It lives on after the headers, for the body; and holds no process that has all it wanted.
    setTimeout(() => limit.abort(reason), limitMs).unref();
    const announced = setTimeout(() => {
      log(`waiting for ${url.host} (${method} ${url.pathname}), for ${limitMs / 1000} s at most`);
    }, limits.announceMs);
    const signals = init.signal == null ? [limit.signal] : [init.signal, limit.signal];
    try {
      return await fetch(input, { ...init, signal: AbortSignal.any(signals) });
    } finally {
      clearTimeout(announced);
    }
  };
}

function describe(input: Parameters<typeof fetch>[0], init: RequestInit): { method: string; url: URL } {
  const isRequest = typeof input !== "string" && !(input instanceof URL);
  const url = new URL(isRequest ? input.url : input);
  return { method: init.method ?? (isRequest ? input.method : "GET"), url };
}

/** A tarball of the registry, or a file of a GitHub release. */
function isFile(method: string, { pathname }: URL): boolean {
  return (method === "GET" && pathname.endsWith(".tgz")) || /\/releases\/(\d+\/)?assets(\/|$)/.test(pathname);
}
