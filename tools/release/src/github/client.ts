import { exitCodes, redact, registerSecret } from "@codex-js/cli-kit";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/rest";
import { isSendableToken } from "../sendable-token.ts";
import { isLoopback } from "../sendable-url.ts";
import { checkUrl } from "./check-url.ts";
import { GithubError } from "./github-error.ts";
import { isNotFound, readFailure } from "./read-failure.ts";
import type { GithubOptions } from "./types.ts";

export interface GithubClient {
  octokit: Octokit;
  /** The repository, for every call's parameters. */
  at: { owner: string; repo: string };
  /** Of the uploads when it is not the release that says it. */
  uploadUrl: string | undefined;
  delaysMs: readonly number[];
  signal: AbortSignal;
  log: (line: string) => void;
}

/** Five attempts in about eight seconds. */
const defaultDelaysMs = [250, 750, 2000, 5000];
const defaultMaxRateLimitWaitMs = 5 * 60_000;
const maxRateLimitWaits = 3;

/** @throws GithubError `…_BAD_URL`, `…_BAD_TOKEN` (usage) */
export function createClient(options: GithubOptions): GithubClient {
  registerSecret(options.token);
  requireSendable(options.token);
  const log = (line: string) => options.log(redact(line));
  const { owner, name: repo } = options.repository;
  return {
    octokit: createOctokit(options, log),
    at: { owner, repo },
    uploadUrl: options.uploadUrl === undefined ? undefined : checkUrl(options.uploadUrl),
    delaysMs: options.delaysMs ?? defaultDelaysMs,
    signal: options.context.signal,
    log,
  };
}

function requireSendable(token: string): void {
  if (isSendableToken(token)) return;
  throw new GithubError({
    condition: "BAD_TOKEN",
    message:
      "the token for GitHub has characters that no HTTP header can carry, such as a space or a line break",
    hint: "give the token alone, in GITHUB_TOKEN",
    exitCode: exitCodes.usage,
  });
}

/**
 * Does one call; while it waits, the signal ends it.
 * @throws GithubError, or the signal's reason
 */
export async function callGithub<Value>(
  { signal }: GithubClient,
  what: string,
  call: () => Promise<Value>,
): Promise<Value> {
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([call(), aborted]);
  } catch (error) {
    signal.throwIfAborted();
    throw readFailure(what, error);
  } finally {
    signal.removeEventListener("abort", stop!);
  }
}

/** The same for what need not be there: undefined where GitHub does not know it. */
export function callGithubIfThere<Value>(
  client: GithubClient,
  what: string,
  call: () => Promise<Value>,
): Promise<Value | undefined> {
  return callGithub(client, what, async () => {
    try {
      return await call();
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  });
}

const PatientOctokit = Octokit.plugin(retry, throttling);

function createOctokit(options: GithubOptions, log: (line: string) => void): Octokit {
  const { context, token, delaysMs = defaultDelaysMs } = options;
  const apiUrl = checkUrl(options.apiUrl);
  const quiet = { debug: () => {}, info: () => {}, warn: log, error: () => {} };
  const octokit = new PatientOctokit({
    auth: token,
    baseUrl: apiUrl,
    userAgent: "codex-js-release",
    log: quiet,
    request: { fetch: context.fetch, signal: context.signal, log: quiet },
    // Of reads; the plugin's own pauses are 1, 4 and 9 times this.
    retry: { retries: Math.min(3, delaysMs.length), retryAfterBaseValue: options.delaysMs?.[0] ?? 1000 },
    throttle: {
      onRateLimit: createLimitHandler(options, log, "the rate limit"),
      onSecondaryRateLimit: createLimitHandler(options, log, "a secondary rate limit"),
      ...(isLoopback(apiUrl) ? unpaced : {}),
    },
  });
  octokit.hook.before("request", (call) => {
    // All calls share one object, and the plugins count in it.
    call.request = { ...call.request };
    // A write is not repeated blindly: it may have been done. Who writes looks first, see settle.ts.
    if (call.method !== "GET" && call.method !== "HEAD") call.request.retries = 0;
  });
  return octokit;
}

function createLimitHandler(options: GithubOptions, log: (line: string) => void, name: string) {
  const maxWaitMs = options.maxRateLimitWaitMs ?? defaultMaxRateLimitWaitMs;
  return (retryAfterS: number, _: unknown, __: unknown, waits: number): boolean => {
    if (retryAfterS * 1000 > maxWaitMs || waits >= maxRateLimitWaits) return false;
    log(`GitHub: waiting ${retryAfterS} s for ${name}`);
    return true;
  };
}

/**
 * The plugin spaces writes by seconds, as GitHub asks for. A server on this machine asks for nothing, and a
 * rehearsal would spend its time waiting.
 */
const unpacedGroup = { key: () => ({ schedule: (_: unknown, job: () => Promise<void>) => job() }) };
type Throttle = NonNullable<NonNullable<ConstructorParameters<typeof PatientOctokit>[0]>["throttle"]>;
type Group = NonNullable<Throttle["write"]>;
const unpaced = { write: unpacedGroup as unknown as Group, notifications: unpacedGroup as unknown as Group };
