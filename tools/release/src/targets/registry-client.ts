import { setTimeout as sleep } from "node:timers/promises";
import { type CliContext, exitCodes, ToolError } from "@codex-js/cli-kit";
import type { PublishedVersion } from "./target.ts";

export interface RegistryClientOptions {
  context: Pick<CliContext, "fetch" | "signal">;
  /** Without a slash at its end. */
  registryUrl: string;
  /** Pauses between attempts in milliseconds; one more attempt than pauses. Default {@link retryDelaysMs}. */
  delaysMs?: readonly number[];
}

/** Five attempts in about eight seconds: longer than a registry's hiccup, shorter than anyone's patience. */
export const retryDelaysMs: readonly number[] = [250, 750, 2000, 5000];

/** A package that is not there is an answer. */
const packumentStatus = "200 or 404";
const abbreviated = "application/vnd.npm.install-v1+json";

interface Packument {
  versions?: Record<string, Record<string, unknown>>;
}

/** Reads an npm registry over HTTP; every read is repeated when the registry stumbles. */
export class RegistryClient {
  readonly #options: RegistryClientOptions;

  constructor(options: RegistryClientOptions) {
    this.#options = options;
  }

  async lookup(name: string, version: string): Promise<PublishedVersion | undefined> {
    const manifest = await this.#readVersion(name, version, abbreviated);
    if (manifest === undefined) return undefined;
    const dist = (manifest.dist ?? {}) as { integrity?: string; tarball?: string };
    return { integrity: dist.integrity ?? "", tarballUrl: dist.tarball ?? "" };
  }

  /** From the full packument: the abbreviated one leaves out most fields. */
  readManifest(name: string, version: string): Promise<Record<string, unknown> | undefined> {
    return this.#readVersion(name, version, "application/json");
  }

  async download(url: string): Promise<Uint8Array> {
    const response = await this.#get(url, "application/octet-stream", "200");
    if (!response.ok) throw describeStatus(url, response.status, "200");
    return response.bytes;
  }

  async #readVersion(
    name: string,
    version: string,
    accept: string,
  ): Promise<Record<string, unknown> | undefined> {
    const url = `${this.#options.registryUrl}/${name.replace("/", "%2f")}`;
    const response = await this.#get(url, accept, packumentStatus);
    if (response.status === 404) return undefined;
    if (!response.ok) throw describeStatus(url, response.status, packumentStatus);
    return parsePackument(url, response.bytes).versions?.[version];
  }

  async #get(
    url: string,
    accept: string,
    expected: string,
  ): Promise<{ ok: boolean; status: number; bytes: Uint8Array }> {
    const { context, delaysMs = retryDelaysMs } = this.#options;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attempt(url, accept);
      if ("status" in outcome && !isPassing(outcome.status)) return outcome;
      const delayMs = delaysMs[attempt];
      if (delayMs === undefined) {
        throw "status" in outcome
          ? describeStatus(url, outcome.status, expected, attempt + 1)
          : describeUnreachable(url, outcome.error, attempt + 1);
      }
      await sleep(delayMs, undefined, { signal: context.signal }).catch(() =>
        context.signal.throwIfAborted(),
      );
    }
  }

  async #attempt(
    url: string,
    accept: string,
  ): Promise<{ ok: boolean; status: number; bytes: Uint8Array } | { error: unknown }> {
    const { fetch, signal } = this.#options.context;
    signal.throwIfAborted();
    try {
      const response = await fetch(url, { headers: { accept }, signal });
      // The body belongs to the attempt: a connection cut half-way is worth another one.
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { ok: response.ok, status: response.status, bytes };
    } catch (error) {
      signal.throwIfAborted();
      return { error };
    }
  }
}

/** A state that another attempt may well not meet. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

function parsePackument(url: string, bytes: Uint8Array): Packument {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch (cause) {
    throw new ToolError({
      code: "CODEX_JS_RELEASE_REGISTRY_FAILED",
      message: `${url} answered something that is not JSON`,
      hint: "see that this URL is an npm registry and no login page of a proxy",
      exitCode: exitCodes.external,
      cause,
    });
  }
}

function describeStatus(url: string, status: number, expected: string, attempts = 1): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_REGISTRY_FAILED",
    message: `${url} answered ${status}${attempts > 1 ? ` ${attempts} times` : ""}, expected ${expected}`,
    hint: "nothing is lost: run the same command again when the registry is well",
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
