import { setTimeout as sleep } from "node:timers/promises";
import { type CliContext, exitCodes, formatDuration, ToolError } from "@codex-js/cli-kit";
import { listUnpublished, type Packument, parsePackument, readDist, readVersions } from "./packument.ts";
import { readRetryAfter } from "./retry-after.ts";
import type { PublishedPackage, PublishedVersion } from "./target.ts";

export interface RegistryClientOptions {
  context: Pick<CliContext, "fetch" | "signal">;
  /** Without a slash at its end. */
  registryUrl: string;
  /** Value of the Authorization header, for a registry that wants one to read; no other host gets it. */
  authorization?: string;
  /** Pauses between attempts in milliseconds; one more attempt than pauses. Default {@link retryDelaysMs}. */
  delaysMs?: readonly number[];
  /** Told about a pause that the registry asks for. */
  log?: (line: string) => void;
}

interface Answer {
  ok: boolean;
  status: number;
  bytes: Uint8Array;
  /** The pause that the registry asks for; undefined where it asks for none. */
  retryAfterMs: number | undefined;
}

/** A registry that asks for a longer pause than this is not waited for. */
const maxRetryAfterMs = 5 * 60_000;

/** Five attempts in about eight seconds: longer than a registry's hiccup, shorter than anyone's patience. */
export const retryDelaysMs: readonly number[] = [250, 750, 2000, 5000];

/** A package that is not there is an answer. */
const packumentStatus = "200 or 404";
const abbreviated = "application/vnd.npm.install-v1+json";

/** Reads an npm registry over HTTP; every read is repeated when the registry stumbles. */
export class RegistryClient {
  readonly #options: RegistryClientOptions;

  constructor(options: RegistryClientOptions) {
    this.#options = options;
  }

  async lookup(name: string, version: string): Promise<PublishedVersion | undefined> {
    const manifest = await this.#readVersion(name, version, abbreviated);
    if (manifest === undefined) return undefined;
    return readDist(manifest);
  }

  /** From the full packument: the abbreviated one says nothing of what was there once. */
  async readPackage(name: string): Promise<PublishedPackage | undefined> {
    const packument = await this.#readPackument(name, "application/json");
    if (packument === undefined) return undefined;
    return {
      distTags: packument["dist-tags"] ?? {},
      versions: readVersions(packument),
      unpublished: listUnpublished(packument),
    };
  }

  async readDistTags(name: string): Promise<Record<string, string> | undefined> {
    const packument = await this.#readPackument(name, abbreviated);
    return packument === undefined ? undefined : (packument["dist-tags"] ?? {});
  }

  async hasTarball(url: string): Promise<boolean> {
    const answer = await this.#get(url, "application/octet-stream", "200 or 404", "HEAD");
    const { status } = answer;
    if (status === 200) return true;
    // A registry that keeps its files in a store of objects answers 403 for one that is not there yet.
    if (status === 404 || status === 403) return false;
    throw describeStatus(url, answer, "200 or 404");
  }

  /** From the full packument: the abbreviated one leaves out most fields. */
  readManifest(name: string, version: string): Promise<Record<string, unknown> | undefined> {
    return this.#readVersion(name, version, "application/json");
  }

  async download(url: string): Promise<Uint8Array> {
    const response = await this.#get(url, "application/octet-stream", "200");
    if (!response.ok) throw describeStatus(url, response, "200");
    return response.bytes;
  }

  async #readVersion(
    name: string,
    version: string,
    accept: string,
  ): Promise<Record<string, unknown> | undefined> {
    return (await this.#readPackument(name, accept))?.versions?.[version];
  }

  async #readPackument(name: string, accept: string): Promise<Packument | undefined> {
    const url = `${this.#options.registryUrl}/${name.replace("/", "%2f")}`;
    const response = await this.#get(url, accept, packumentStatus);
    if (response.status === 404) return undefined;
    if (!response.ok) throw describeStatus(url, response, packumentStatus);
    return parsePackument(url, name, response.bytes);
  }

  async #get(url: string, accept: string, expected: string, method: "GET" | "HEAD" = "GET"): Promise<Answer> {
    const { context, delaysMs = retryDelaysMs } = this.#options;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attempt(url, accept, method);
      if ("status" in outcome && !isPassing(outcome.status)) return outcome;
      const delayMs = delaysMs[attempt];
      const askedMs = "status" in outcome ? outcome.retryAfterMs : undefined;
      if ("status" in outcome && (askedMs ?? 0) > maxRetryAfterMs) throw describeRateLimit(url, outcome);
      if (delayMs === undefined) {
        throw "status" in outcome
          ? describeStatus(url, outcome, expected, attempt + 1)
          : describeUnreachable(url, outcome.error, attempt + 1);
      }
      if (askedMs !== undefined) {
        this.#options.log?.(`${new URL(url).host} asks for a pause of ${formatDuration(askedMs)}`);
      }
      await sleep(Math.max(delayMs, askedMs ?? 0), undefined, { signal: context.signal }).catch(() =>
        context.signal.throwIfAborted(),
      );
    }
  }

  async #attempt(url: string, accept: string, method: "GET" | "HEAD"): Promise<Answer | { error: unknown }> {
    const { fetch, signal } = this.#options.context;
    signal.throwIfAborted();
    try {
      const response = await fetch(url, { method, headers: { accept, ...this.#authorize(url) }, signal });
      // The body belongs to the attempt: a connection cut half-way is worth another one.
      const bytes = new Uint8Array(await response.arrayBuffer());
      const retryAfterMs = readRetryAfter(response.headers.get("retry-after"), new Date());
      return { ok: response.ok, status: response.status, bytes, retryAfterMs };
    } catch (error) {
      signal.throwIfAborted();
      return { error };
    }
  }

  #authorize(url: string): Record<string, string> {
    const { authorization, registryUrl } = this.#options;
    const isOurs = authorization !== undefined && new URL(url).origin === new URL(registryUrl).origin;
    return isOurs ? { authorization } : {};
  }
}

/** A state that another attempt may well not meet. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

function describeStatus(
  url: string,
  answer: Pick<Answer, "status" | "retryAfterMs">,
  expected: string,
  attempts = 1,
): ToolError {
  const { status } = answer;
  if (status === 429) return describeRateLimit(url, answer);
  return new ToolError({
    code: "CODEX_JS_RELEASE_REGISTRY_FAILED",
    message: `${url} answered ${status}${attempts > 1 ? ` ${attempts} times` : ""}, expected ${expected}`,
    hint: "nothing is lost: run the same command again when the registry is well",
    exitCode: exitCodes.external,
  });
}

function describeRateLimit(
  url: string,
  { status, retryAfterMs }: Pick<Answer, "status" | "retryAfterMs">,
): ToolError {
  const pause = retryAfterMs === undefined ? "a few minutes" : formatDuration(retryAfterMs);
  return new ToolError({
    code: "CODEX_JS_RELEASE_NPM_RATE_LIMIT",
    message: `${url} answered ${status}: the registry takes no more requests for ${pause}`,
    hint: `nothing is lost: run the same command again after ${pause}`,
    exitCode: exitCodes.external,
  });
}

function describeUnreachable(url: string, cause: unknown, attempts: number): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_REGISTRY_UNREACHABLE",
    message: `${new URL(url).host} could not be reached in ${attempts} attempts (${url})`,
    hint: "nothing is lost: run the same command again when the registry can be reached",
    exitCode: exitCodes.external,
    cause,
  });
}
