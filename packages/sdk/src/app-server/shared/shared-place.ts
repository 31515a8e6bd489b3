import { lstat, mkdir, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CodexError } from "../../errors.ts";
import { findCodexHome } from "../../exec/environment.ts";

/** Where the shared server of one CODEX_HOME is found. */
export interface SharedPlace {
  /** A folder that nobody else can look into; its path also stands on the command lines of what runs for it. */
  dir: string;
  /** Made by the engine: a link to its socket. */
  socketPath: string;
  /** A FIFO that every program with this server holds open; see presence.ts. */
  presencePath: string;
  /** The same FIFO under the name that it has once nobody may join any more. */
  leavingPath: string;
  /** The same while somebody tries to replace the server. */
  replacingPath: string;
  recordPath: string;
  /** The record of a server that did not end in order. */
  crashedPath: string;
  lockPath: string;
  logPath: string;
}

/**
 * The folder of the server for the CODEX_HOME that an engine with this environment has. All programs of
 * one user must come to the same folder, or one CODEX_HOME gets two servers (openai/codex#37947). That
 * rules out TMPDIR and XDG_RUNTIME_DIR, which differ between a login, a service and a cron job; the engine
 * puts its own sockets below `/tmp` as well. The path stays below the 104 bytes that a socket's may have.
 * @throws CodexError CODEX_JS_SDK_SHARED_DIR_UNSAFE
 */
export async function openSharedPlace(
  env: Readonly<Record<string, string | undefined>>,
  stateDir = defaultStateDir(),
): Promise<SharedPlace> {
  const home = findCodexHome(env);
  const codexHome = await realpath(home).catch(() => resolve(home));
  const { createHash } = await import("node:crypto");
  // The supervisor runs in another folder than this program.
  const baseDir = resolve(stateDir);
  const dir = join(baseDir, createHash("sha256").update(codexHome).digest("hex").slice(0, 16));
  await ensurePrivateDir(baseDir);
  await ensurePrivateDir(dir);
  return {
    dir,
    socketPath: join(dir, "app.sock"),
    presencePath: join(dir, "presence"),
    leavingPath: join(dir, "leaving"),
    replacingPath: join(dir, "replacing"),
    recordPath: join(dir, "server"),
    crashedPath: join(dir, "crashed"),
    lockPath: join(dir, "lock"),
    logPath: join(dir, "log"),
  };
}

export function defaultStateDir(): string {
  return `/tmp/codex-js-${process.getuid?.() ?? "user"}`;
}

/** Whoever may write there could put a socket of their own in the server's place. */
async function ensurePrivateDir(dir: string): Promise<void> {
  await mkdir(dir, { mode: 0o700 }).catch((error) => {
    if (error.code !== "EEXIST") throw createUnsafeError(dir, error.message, error);
  });
  const stat = await lstat(dir).catch((error) => {
    throw createUnsafeError(dir, error.message, error);
  });
  const mode = stat.mode & 0o777;
  if (!stat.isDirectory()) throw createUnsafeError(dir, "it is not a folder");
  if (stat.uid !== process.getuid?.()) throw createUnsafeError(dir, `it belongs to user ${stat.uid}`);
  if ((mode & 0o077) !== 0) throw createUnsafeError(dir, `its mode is ${mode.toString(8)}, expected 700`);
}

function createUnsafeError(dir: string, why: string, cause?: unknown): CodexError {
  return new CodexError(
    "CODEX_JS_SDK_SHARED_DIR_UNSAFE",
    `${dir} cannot hold the shared server's socket: ${why}`,
    { hint: "remove it, or name another folder in stateDir", cause },
  );
}
