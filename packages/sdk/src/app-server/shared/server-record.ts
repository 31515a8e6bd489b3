import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { runChild } from "../../exec/spawn.ts";

/** What a supervisor writes down about its server; there from just after the start until both are gone. */
export interface ServerRecord {
  pid: number;
  supervisor: number;
  engineVersion: string;
  /** Of the engine's arguments, which may hold secrets. */
  argumentsHash: string;
  /** See `markerVariable`. */
  marker: string;
}

/** Undefined where there is none. Its form is that of the supervisor's script: two numbers, then JSON. */
export async function readServerRecord(path: string): Promise<ServerRecord | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  const [, pid, supervisor, json] = /^(\d+) (\d+) (\{.*\})\n$/.exec(text) ?? [];
  return json === undefined
    ? undefined
    : { ...JSON.parse(json), pid: Number(pid), supervisor: Number(supervisor) };
}

/**
 * Whether `pid` still runs for the server in `dir`: the folder stands on the command lines of the engine
 * and of its supervisor, and on nobody else's who could have got that number.
 */
export async function runsFor(dir: string, pid: number): Promise<boolean> {
  if (process.platform !== "linux") {
    return (await runChild("ps", ["-ww", "-o", "command=", "-p", String(pid)])).includes(dir);
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(dir);
  } catch {
    return false;
  }
}
