import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CliContext, redact, withTempDir } from "@codex-js/cli-kit";
import { readTarball } from "@codex-js/pack";
import type { LastRelease, RegistryAccess } from "./types.ts";

type Context = Pick<CliContext, "fetch" | "signal">;

interface Packument {
  "dist-tags"?: Record<string, string>;
  versions?: Record<string, { dist?: Dist }>;
}

interface Dist {
  tarball?: string;
  unpackedSize?: number;
  fileCount?: number;
}

/** For one answer, its body included. */
const timeoutMs = 30_000;
/** The form that npm itself asks for when it installs, and the full one where a registry has no other. */
const packumentTypes = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8";

/**
 * Sizes of the version that the registry tags `latest`. Whatever goes wrong makes it `unknown` with the
 * reason; only stopping the command throws.
 */
export async function fetchLastRelease(
  name: string,
  registry: RegistryAccess,
  context: Context,
): Promise<LastRelease> {
  try {
    const packument = await fetchPackument(name, registry, context);
    if (packument === undefined) return { status: "first-release" };
    const version = packument["dist-tags"]?.latest ?? Object.keys(packument.versions ?? {}).at(-1);
    if (version === undefined) return { status: "first-release" };
    const dist = packument.versions?.[version]?.dist;
    if (dist?.tarball === undefined)
      return unknown(`${name}@${version} has no dist.tarball on ${registry.url}`);
    const sizes = await fetchSizes(dist.tarball, dist, registry, context);
    return { status: "published", version, ...sizes };
  } catch (error) {
    context.signal.throwIfAborted();
    return unknown(error instanceof Error ? error.message : String(error));
  }
}

/** A registry's URL may hold a password. */
export function unknown(reason: string): LastRelease {
  return { status: "unknown", reason: redact(reason) };
}

async function fetchPackument(
  name: string,
  registry: RegistryAccess,
  context: Context,
): Promise<Packument | undefined> {
  const url = `${registry.url.replace(/\/*$/, "/")}${name.replace("/", "%2f")}`;
  const response = await request(url, { headers: { accept: packumentTypes } }, registry, context);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(describeStatus(url, response.status));
  return (await response.json().catch(() => {
    throw new Error(`${url} answered something that is no JSON`);
  })) as Packument;
}

type PublishedSizes = Omit<Extract<LastRelease, { status: "published" }>, "status" | "version">;

async function fetchSizes(
  tarballUrl: string,
  dist: Dist,
  registry: RegistryAccess,
  context: Context,
): Promise<PublishedSizes> {
  const { unpackedSize: unpackedBytes, fileCount } = dist;
  if (unpackedBytes !== undefined && fileCount !== undefined) {
    const packedBytes = await fetchContentLength(tarballUrl, registry, context);
    if (packedBytes !== undefined) return { packedBytes, unpackedBytes, fileCount };
  }
  // The npm registry fills in sizes that others leave out; the tarball itself has them.
  return measureTarball(tarballUrl, registry, context);
}

async function fetchContentLength(
  url: string,
  registry: RegistryAccess,
  context: Context,
): Promise<number | undefined> {
  // A proxy that compressed on the way would report another length.
  const init = { method: "HEAD", headers: { "accept-encoding": "identity" } };
  const response = await request(url, init, registry, context);
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  return response.ok && Number.isInteger(length) && length > 0 ? length : undefined;
}

async function measureTarball(
  url: string,
  registry: RegistryAccess,
  context: Context,
): Promise<PublishedSizes> {
  const response = await request(url, {}, registry, context);
  if (!response.ok) throw new Error(describeStatus(url, response.status));
  const bytes = Buffer.from(await response.arrayBuffer());
  return withTempDir("codex-js-size", async (dir) => {
    const file = join(dir, "last.tgz");
    await writeFile(file, bytes);
    const { packedBytes, unpackedBytes, files } = await readTarball(file).catch(() => {
      throw new Error(`${url} answered ${bytes.length} B that are no npm tarball`);
    });
    return { packedBytes, unpackedBytes, fileCount: files.length };
  });
}

async function request(
  url: string,
  init: RequestInit & { headers?: Record<string, string> },
  registry: RegistryAccess,
  context: Context,
): Promise<Response> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(timeoutMs)]);
  const headers = { ...init.headers, ...authorizationFor(url, registry) };
  return context.fetch(url, { ...init, headers, signal }).catch((error: unknown) => {
    throw new Error(`${url} could not be reached: ${describeNetworkError(error)}`);
  });
}

/** A tarball on another host must not get the registry's token. */
function authorizationFor(url: string, registry: RegistryAccess): Record<string, string> {
  const sameOrigin = new URL(url).origin === new URL(registry.url).origin;
  return registry.authorization !== undefined && sameOrigin ? { authorization: registry.authorization } : {};
}

function describeStatus(url: string, status: number): string {
  const loginNeeded = status === 401 || status === 403;
  return `${url} answered ${status}${loginNeeded ? ": log in with npm login" : ""}`;
}

/** fetch says "fetch failed" and keeps the reason in its cause. */
function describeNetworkError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${timeoutMs / 1000} s`;
  const { code, message } = (error.cause instanceof Error ? error.cause : error) as NodeJS.ErrnoException;
  return code ?? message;
}
