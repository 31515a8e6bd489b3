import { createHash, randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { createTempDir, ToolError } from "@codex-js/cli-kit";
import { type Behaviour, type FlakyFile, startFlakyServer } from "@codex-js/testkit/flaky-server";
import { onTestFinished } from "vitest";
import { type FetchEvent, type FetchOptions, fetchPrebuilt, readLock } from "../src/index.ts";
import { type DownloadPolicy, defaultPolicy } from "../src/limits.ts";

export const target = "x86_64-unknown-linux-gnu";

/** How an error of the fixture's target begins. */
export const cannot = `V8 1.2.3 for ${target} cannot be fetched: `;

/** A library that gzip cannot shrink, so that parts of the file are parts of the content. */
export const archive = gzipSync(Buffer.concat([Buffer.from("!<arch>\n"), randomBytes(200_000)]));
const binding = Buffer.from("// the binding\n");

export const archivePath = "rusty-v8-v1.2.3/librusty_v8.a.gz";
const bindingPath = "rusty-v8-v1.2.3/src_binding.rs";

/** Short enough for a test; nothing asserts how long anything took. */
export const testPolicy: DownloadPolicy = {
  ...defaultPolicy,
  idleTimeoutMs: 200,
  headersTimeoutMs: 200,
  backoff: { firstMs: 1, factor: 1, maxMs: 1, jitter: 0 },
};

export function sha256(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

export interface FixtureOptions {
  /** How the archive is answered. */
  behaviours?: readonly Behaviour[];
  archive?: Partial<FlakyFile>;
  /** What the lock says of the archive. */
  locked?: { sha256?: string; sizeBytes?: number };
  files?: Readonly<Record<string, FlakyFile>>;
}

/** A server with one target's files, their lock, and an empty cache. */
export async function createFixture(options: FixtureOptions = {}) {
  const dir = await createTempDir("codex-js-v8-test");
  onTestFinished(() => dir.remove());
  const file = { content: archive, ...options.archive };
  const server = await startFlakyServer({
    files: {
      [`/${archivePath}`]:
        options.behaviours === undefined ? file : { ...file, behaviours: options.behaviours },
      [`/${bindingPath}`]: { content: binding },
      ...options.files,
    },
  });
  onTestFinished(() => server.close());
  const lockFile = join(dir.path, "v8.lock.json");
  await writeLockFile(lockFile, server.url, { sha256: sha256(file.content), ...options.locked });
  const cacheRoot = join(dir.path, "cache");
  return {
    dir: dir.path,
    server,
    lockFile,
    cacheRoot,
    archiveRequests: () => countRequests(server.requests),
  };
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>;

/** The fixture's target, with the events that it took and the waits that were asked for. */
export async function fetchFixture(fixture: Fixture, options: Partial<FetchOptions> = {}) {
  const events: FetchEvent[] = [];
  const waitsMs: number[] = [];
  const report = await fetchPrebuilt({
    context: createContext(fixture),
    lock: await readLock(fixture.lockFile),
    targets: [target],
    policy: testPolicy,
    wait: async (ms) => void waitsMs.push(ms),
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { report, events, waitsMs };
}

export function createContext(fixture: Pick<Fixture, "dir" | "cacheRoot">, env: NodeJS.ProcessEnv = {}) {
  return {
    cwd: fixture.dir,
    env: { CODEX_JS_CACHE: fixture.cacheRoot, ...env },
    signal: new AbortController().signal,
    now: () => new Date(),
  };
}

/** The error's code and message; a test that expects one and gets a result fails. */
export async function catchError(run: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await run;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { code: error.code, message: error.message };
  }
  throw new Error("it did not fail");
}

/** Every file below the cache; the binding, which all fixtures serve well, is left out. */
export function listCache(cacheRoot: string): string[] {
  return readdirSync(cacheRoot, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && entry.name !== "src_binding.rs")
    .map((entry) => join(entry.parentPath, entry.name).slice(cacheRoot.length + 1));
}

/** The fixture's files in a folder, as a mirror has them. */
export async function createMirrorFolder(dir: string): Promise<string> {
  const mirror = join(dir, "mirror");
  await mkdir(dirname(join(mirror, archivePath)), { recursive: true });
  await writeFile(join(mirror, archivePath), archive);
  await writeFile(join(mirror, bindingPath), binding);
  return mirror;
}

async function writeLockFile(
  file: string,
  baseUrl: string,
  locked: { sha256: string; sizeBytes?: number },
): Promise<void> {
  const assets = [
    { target, kind: "archive", path: archivePath, ...locked },
    { target, kind: "binding", path: bindingPath, sha256: sha256(binding), sizeBytes: binding.length },
  ];
  await writeFile(file, JSON.stringify({ version: 1, v8: "1.2.3", origin: "a test", baseUrl, assets }));
}

function countRequests(requests: readonly { path: string }[]): number {
  return requests.filter(({ path }) => path === `/${archivePath}`).length;
}
