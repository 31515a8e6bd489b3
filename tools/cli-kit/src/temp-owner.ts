import { createHash } from "node:crypto";
import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isProcessAlive, readProcessStart } from "./process-state.ts";

/** Who a temp folder belongs to; it is part of the folder's name, so there is no folder without it. */
interface TempOwner {
  /** Where the pid means something: another container with the same temp folder has pids of its own. */
  place: string;
  pid: number;
  /** See `readProcessStart`; 0 for unknown. */
  start: number;
}

/** `codex-js-smoke` → `codex-js-smoke-k3f9a2.1x.2c4s-`, to which `mkdtemp` adds its six characters. */
export function createTempName(prefix: string): string {
  const { place, pid, start } = own;
  return `${prefix}-${place}.${pid.toString(36)}.${start.toString(36)}-`;
}

/** Whether a name is one of ours whose owner is known to be gone; everything unknown counts as alive. */
export function isAbandoned(name: string): boolean {
  const owner = parseOwner(name);
  if (owner === undefined || owner.place !== own.place) return false;
  if (!isProcessAlive(owner.pid)) return true;
  const start = readProcessStart(owner.pid);
  return start !== undefined && start !== owner.start;
}

/** The part before the owner; undefined where the name is not one of ours. */
export function parsePrefix(name: string): string | undefined {
  return namePattern.exec(name)?.[1];
}

const namePattern = /^(.+)-([0-9a-z]{6})\.([0-9a-z]+)\.([0-9a-z]+)-\w{6}$/;

function parseOwner(name: string): TempOwner | undefined {
  const [, , place, pid, start] = namePattern.exec(name) ?? [];
  if (place === undefined || pid === undefined || start === undefined) return undefined;
  return { place, pid: Number.parseInt(pid, 36), start: Number.parseInt(start, 36) };
}

const own: TempOwner = {
  place: describePlace(),
  pid: process.pid,
  start: readProcessStart(process.pid) ?? 0,
};

function describePlace(): string {
  const hash = createHash("sha256").update(`${hostname()} ${readPidNamespace()}`).digest();
  return (hash.readUInt32BE() % 36 ** 6).toString(36).padStart(6, "0");
}

function readPidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
