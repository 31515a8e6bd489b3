import { statSync } from "node:fs";
import { listProcesses } from "./process-tree.ts";

/** How many processes run this program file at the moment, under whatever name it is linked. */
export function countUsers(file: string): number {
  const wanted = identify(file);
  return listProcesses().filter(({ pid, zombie }) => !zombie && identify(`/proc/${pid}/exe`) === wanted)
    .length;
}

/** Undefined for what is gone or belongs to somebody else. */
function identify(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
