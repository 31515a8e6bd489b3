import { createHash } from "node:crypto";
import { type CliContext, exitCodes, ToolError } from "@codex-js/cli-kit";
import type { PackageVersion } from "./types.ts";

/** What the registry says of one version. */
export interface PublishedPackage extends PackageVersion {
  /** `sha512-…` */
  integrity: string;
  tarballUrl: string;
  /** Made for some platforms only: comes as a dependency, is never installed by name. */
  platformBound: boolean;
}

type RegistryContext = Pick<CliContext, "fetch" | "signal">;

/** The part of an abbreviated packument that is used here. */
interface Packument {
  versions?: Record<
    string,
    { dist?: { integrity?: string; tarball?: string }; os?: string[]; cpu?: string[]; libc?: string[] }
  >;
}

const abbreviated = "application/vnd.npm.install-v1+json";

/**
 * Asks the registry for one exact version.
 * @throws ToolError CODEX_JS_SMOKE_REGISTRY_FAILED (external), CODEX_JS_SMOKE_NOT_PUBLISHED (check failed)
 */
export async function fetchPublished(
  registryUrl: string,
  wanted: PackageVersion,
  context: RegistryContext,
): Promise<PublishedPackage> {
  const url = `${registryUrl.replace(/\/$/, "")}/${wanted.name.replace("/", "%2f")}`;
  const response = await request(url, context, { accept: abbreviated });
  const packument = response.status === 404 ? {} : ((await readBody(url, response.json())) as Packument);
  const manifest = packument.versions?.[wanted.version];
  const { integrity, tarball } = manifest?.dist ?? {};
  if (integrity === undefined || tarball === undefined) {
    throw new ToolError({
      code: "CODEX_JS_SMOKE_NOT_PUBLISHED",
      message: `${registryUrl} does not serve ${wanted.name}@${wanted.version}`,
      hint: `npm view ${wanted.name} versions --registry ${registryUrl}`,
      exitCode: exitCodes.checkFailed,
    });
  }
  const platformBound = [manifest?.os, manifest?.cpu, manifest?.libc].some((list) => list !== undefined);
  return { ...wanted, integrity, tarballUrl: tarball, platformBound };
}

/**
 * Downloads the tarball past every cache and hashes it: a package manager may be served from its own.
 * @throws ToolError CODEX_JS_SMOKE_REGISTRY_FAILED (external), CODEX_JS_SMOKE_WRONG_BYTES (check failed)
 */
export async function verifyTarball(published: PublishedPackage, context: RegistryContext): Promise<void> {
  const response = await request(published.tarballUrl, context);
  if (response.status === 404) throw registryFailed(published.tarballUrl, "answered 404");
  const bytes = new Uint8Array(await readBody(published.tarballUrl, response.arrayBuffer()));
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  if (integrity === published.integrity) return;
  throw new ToolError({
    code: "CODEX_JS_SMOKE_WRONG_BYTES",
    message: `${published.tarballUrl} has ${bytes.byteLength} bytes with ${integrity}, the registry promises ${published.integrity}`,
    exitCode: exitCodes.checkFailed,
  });
}

async function request(
  url: string,
  context: RegistryContext,
  headers?: Record<string, string>,
): Promise<Response> {
  let response: Response;
  try {
    response = await context.fetch(url, {
      signal: context.signal,
      ...(headers === undefined ? {} : { headers }),
    });
  } catch (error) {
    context.signal.throwIfAborted();
    throw registryFailed(url, "cannot be reached", error);
  }
  if (!response.ok && response.status !== 404) {
    throw registryFailed(url, `answered ${response.status}${await readReason(response)}`);
  }
  return response;
}

/** A registry says in `error` what is the matter. */
async function readReason(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const reason = (body as { error?: unknown } | undefined)?.error;
  return typeof reason === "string" ? `: ${reason}` : "";
}

async function readBody<T>(url: string, body: Promise<T>): Promise<T> {
  return body.catch((error: unknown) => {
    throw registryFailed(url, "sent an answer that cannot be read", error);
  });
}

function registryFailed(url: string, what: string, cause?: unknown): ToolError {
  return new ToolError({
    code: "CODEX_JS_SMOKE_REGISTRY_FAILED",
    message: `${url} ${what}`,
    hint: "check that the registry runs and that --registry names it, then run the same command again",
    exitCode: exitCodes.external,
    cause,
  });
}
