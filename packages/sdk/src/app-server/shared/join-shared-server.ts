import { existsSync } from "node:fs";
import { readFile, realpath, rename, rm, stat, truncate } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { CodexError, createAbortError } from "../../errors.ts";
import { runChild } from "../../exec/spawn.ts";
import { readLastLines } from "../../output-tail.ts";
import { killEngineProcesses, signalProcess } from "../../process-tree.ts";
import { createRedactor } from "../../redact.ts";
import type { EngineCommand } from "../engine-child.ts";
import { enterPresence } from "./presence.ts";
import { readServerRecord, runsFor, type ServerRecord } from "./server-record.ts";
import { type SharedServerOptions, sharedDefaults } from "./shared-options.ts";
import { openSharedPlace, type SharedPlace } from "./shared-place.ts";
import { tryStartLock } from "./start-lock.ts";
import { lostRaceCode, type Supervisor, startSupervisor } from "./supervisor.ts";

/** A server that this program has joined. It is kept up until {@link SharedServer.leave}. */
export interface SharedServer {
  /** `unix://PATH` */
  url: string;
  pid: number;
  /** Of the caller's own engine. */
  ownVersion: string;
  /** False when it was started with other arguments. */
  hasSameArguments: boolean;
  /** True when this call has started it. */
  isStarter: boolean;
  /** False once it takes nobody in any more, or is gone. */
  isCurrent(): boolean;
  leave(): void;
}

interface WaitLimit {
  deadline: number;
  /** Then a server that does not get ready is given up. */
  startDeadline: number;
  signal: AbortSignal | undefined;
}

const pollMs = 15;
const maxLogBytes = 1024 * 1024;

/**
 * Joins the server of the CODEX_HOME that the command's environment has, or starts it: one, however many
 * programs come at once. It is joined for good only when it is still current after `initialize`.
 * @throws CodexError CODEX_JS_SDK_SHARED_UNSUPPORTED, _SHARED_DIR_UNSAFE, _SHARED_BUSY or _ENGINE_NOT_STARTED
 */
export async function joinSharedServer(
  options: SharedServerOptions,
  signal?: AbortSignal,
): Promise<SharedServer> {
  if (process.platform === "win32") throw createUnsupportedError();
  const command = await options.command();
  const place = await openSharedPlace(command.env, options.stateDir);
  const { startTimeoutMs, drainTimeoutMs, idleTimeoutMs, drainLimitMs } = { ...sharedDefaults, ...options };
  const argumentsHash = await hashArguments(command.args);
  const ownVersion = options.engineVersion ?? (await askVersion(command.file));
  const launch = { idleTimeoutMs, drainLimitMs, engineVersion: ownVersion, argumentsHash };
  const startDeadline = Date.now() + startTimeoutMs;
  const limit = { startDeadline, deadline: startDeadline + drainTimeoutMs, signal };
  let own: Supervisor | undefined;
  for (;;) {
    const server = await enter(place, argumentsHash, ownVersion, own !== undefined, limit);
    if (server !== undefined) return server;
    if (own !== undefined && own.exitCode !== null) {
      if (own.exitCode !== lostRaceCode)
        throw await createStartError(place, command, own.exitCode, options.secrets);
      own = undefined;
    }
    const unlock = own === undefined ? await tryStartLock(place.lockPath) : undefined;
    if (unlock === undefined) await waitOrThrow(place, limit);
    else {
      try {
        // Whoever was replacing the server was killed over it.
        await rename(place.replacingPath, place.presencePath).catch(() => {});
        if (await awaitEnd(place, limit)) own = await start(place, command, launch);
      } finally {
        await unlock();
      }
    }
  }
}

/**
 * Ends a server in a moment in which it has no work, so that the next program starts another one. Does
 * nothing when it is no longer there. SIGTERM alone would not do while turns run: the engine finishes them,
 * but closes its sockets before their clients are told of it (engine 0.171).
 * @param isBusy - asks the server whether turns run
 * @throws CodexError CODEX_JS_SDK_SHARED_BUSY when there is no such moment within `drainTimeoutMs`
 */
export async function replaceSharedServer(
  options: SharedServerOptions,
  pid: number,
  isBusy: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  const place = await openSharedPlace((await options.command()).env, options.stateDir);
  const deadline = Date.now() + { ...sharedDefaults, ...options }.drainTimeoutMs;
  const limit = { startDeadline: deadline, deadline, signal };
  while ((await readServerRecord(place.recordPath))?.pid === pid) {
    const unlock = (await isBusy()) ? undefined : await tryStartLock(place.lockPath);
    try {
      if (unlock !== undefined && (await endQuietServer(place, pid, isBusy))) {
        await awaitEnd(place, limit);
        return;
      }
    } finally {
      await unlock?.();
    }
    await waitOrThrow(place, limit, 50);
  }
}

/** With the lock: closes the door, looks once more, and tells the server to end, or opens the door again. */
async function endQuietServer(
  place: SharedPlace,
  pid: number,
  isBusy: () => Promise<boolean>,
): Promise<boolean> {
  if ((await readServerRecord(place.recordPath))?.pid !== pid) return true;
  await rename(place.presencePath, place.replacingPath).catch(() => {});
  // A turn that was accepted a moment ago does not show yet, nor would the engine wait for it.
  await sleep(100);
  const isStillBusy = await isBusy().catch(() => false);
  if (isStillBusy) await rename(place.replacingPath, place.presencePath).catch(() => {});
  else if (await runsFor(place.dir, pid)) signalProcess(pid, "SIGTERM");
  return !isStillBusy;
}

/** Joins what is there; undefined when there is nothing to join. */
async function enter(
  place: SharedPlace,
  argumentsHash: string,
  ownVersion: string,
  isStarter: boolean,
  limit: WaitLimit,
): Promise<SharedServer | undefined> {
  const presence = enterPresence(place.presencePath);
  if (presence === undefined) return undefined;
  try {
    // It is starting: the engine makes its socket when it is ready.
    while (presence.isCurrent() && !existsSync(place.socketPath)) {
      await waitOrThrow(place, limit);
      if (Date.now() > limit.startDeadline) await killStuckServer(place);
    }
    const record = await readServerRecord(place.recordPath);
    if (presence.isCurrent() && record !== undefined && !(await isDead(place, record))) {
      // The engine's link may be longer than a socket's address, and what it leads to is not.
      const socket = await realpath(place.socketPath).catch(() => place.socketPath);
      return {
        url: `unix://${socket}`,
        pid: record.pid,
        ownVersion,
        hasSameArguments: record.argumentsHash === argumentsHash,
        isStarter,
        isCurrent: presence.isCurrent,
        leave: presence.leave,
      };
    }
  } catch (error) {
    presence.leave();
    throw error;
  }
  presence.leave();
  return undefined;
}

/** True when nobody but a watcher is left, who would hold the door open until the server has been idle. */
async function isDead(place: SharedPlace, record: ServerRecord): Promise<boolean> {
  return !(await runsFor(place.dir, record.pid)) && !(await runsFor(place.dir, record.supervisor));
}

async function killStuckServer(place: SharedPlace): Promise<void> {
  const record = await readServerRecord(place.recordPath);
  if (record === undefined || !(await runsFor(place.dir, record.pid))) return;
  if (!existsSync(place.socketPath)) signalProcess(record.pid, "SIGKILL");
}

/**
 * Waits until nothing of the last server is left, and clears up after it; false when it can be joined again.
 * One without a supervisor would never end by itself, so it is told to.
 */
async function awaitEnd(place: SharedPlace, limit: WaitLimit): Promise<boolean> {
  let isTold = false;
  for (;;) {
    const presence = enterPresence(place.presencePath);
    presence?.leave();
    const record = await readServerRecord(place.recordPath);
    if (presence !== undefined) {
      if (record === undefined || !(await isDead(place, record))) return false;
      break;
    }
    if (record === undefined) break;
    const isSupervised = await runsFor(place.dir, record.supervisor);
    const isRunning = await runsFor(place.dir, record.pid);
    if (!isSupervised && !isRunning) break;
    if (!isSupervised && !isTold) signalProcess(record.pid, "SIGTERM");
    isTold ||= !isSupervised;
    await waitOrThrow(place, limit);
  }
  await killLeftovers(place);
  // The engine's link, and the socket that it leads to.
  const socket = await realpath(place.socketPath).catch(() => place.socketPath);
  const stale = [
    socket,
    place.presencePath,
    place.leavingPath,
    place.replacingPath,
    place.socketPath,
    place.recordPath,
  ];
  await Promise.all(stale.map((path) => rm(path, { force: true })));
  return true;
}

/** An engine that crashed may have left MCP servers behind. */
async function killLeftovers(place: SharedPlace): Promise<void> {
  for (const path of [place.crashedPath, place.recordPath]) {
    const record = await readServerRecord(path);
    if (record === undefined) continue;
    // The session is the supervisor's. Nobody started at 0: should another process have that number now, it is spared.
    await killEngineProcesses({ pid: record.supervisor, startTime: "0" }, record.marker);
    await rm(path, { force: true });
  }
}

async function start(
  place: SharedPlace,
  command: EngineCommand,
  launch: Parameters<typeof startSupervisor>[2],
): Promise<Supervisor> {
  const size = await stat(place.logPath).then(
    (file) => file.size,
    () => 0,
  );
  // The engine goes on writing at the end, wherever that is.
  if (size > maxLogBytes) await truncate(place.logPath);
  const supervisor = await startSupervisor(place, command, launch);
  // The lock is held until others can see that somebody has started one.
  const isVisible = async () => {
    const presence = enterPresence(place.presencePath);
    presence?.leave();
    return presence !== undefined && (await readServerRecord(place.recordPath)) !== undefined;
  };
  while (supervisor.exitCode === null && !(await isVisible())) await sleep(pollMs);
  return supervisor;
}

async function waitOrThrow(
  place: SharedPlace,
  { deadline, signal }: WaitLimit,
  delayMs = pollMs,
): Promise<void> {
  if (signal?.aborted) throw createAbortError(signal);
  if (Date.now() < deadline) return sleep(delayMs);
  const record = await readServerRecord(place.recordPath);
  const what =
    record === undefined
      ? "another program is starting it"
      : existsSync(place.socketPath)
        ? `server ${record.pid} has running turns`
        : `server ${record.pid} does not get ready`;
  throw new CodexError("CODEX_JS_SDK_SHARED_BUSY", `no shared server in time: ${what}`, {
    hint: "try again later, or use an engine of your own (new Codex())",
  });
}

async function hashArguments(args: readonly string[]): Promise<string> {
  const { createHash } = await import("node:crypto");
  return createHash("sha256").update(JSON.stringify(args)).digest("hex").slice(0, 16);
}

/** Empty where it does not say; then no version matches. */
async function askVersion(file: string): Promise<string> {
  return /\d+\.\d+\.\d+\S*/.exec(await runChild(file, ["--version"]))?.[0] ?? "";
}

function createUnsupportedError(): CodexError {
  return new CodexError(
    "CODEX_JS_SDK_SHARED_UNSUPPORTED",
    "a shared server needs unix sockets with owners, which Windows does not have",
    {
      hint: "use new Codex(), or start `codex app-server --listen ws://127.0.0.1:PORT --ws-auth capability-token --ws-token-file FILE` and Codex.connect() to it with the token",
    },
  );
}

async function createStartError(
  place: SharedPlace,
  command: EngineCommand,
  exitCode: number,
  secrets: Iterable<string | undefined> = [],
): Promise<CodexError> {
  const log = await readFile(place.logPath, "utf8").catch(() => "");
  const tail = readLastLines(createRedactor(secrets)(log).slice(-4096), 20);
  return new CodexError(
    "CODEX_JS_SDK_ENGINE_NOT_STARTED",
    `the shared server (${command.file}) ended with code ${exitCode} before it was ready\n${tail}`,
  );
}
