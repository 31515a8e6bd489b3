import { stat, statfs } from "node:fs/promises";
import { exitCodes, formatBytes, ToolError } from "@codex-js/cli-kit";

export interface DiskNeed {
  /** Absolute; has to be there. */
  dir: string;
  bytes: number;
}

/** @throws ToolError CODEX_JS_SMOKE_DISK_FULL (external) naming the folders and what they lack */
export async function requireSpace(needs: readonly DiskNeed[]): Promise<void> {
  for (const { dirs, bytes, freeBytes } of await groupByDisk(needs)) {
    if (freeBytes < bytes) throw createDiskFull(dirs, freeBytes, `${formatBytes(bytes)} wanted, `);
  }
}

/** For a disk that has turned out to be full; of several folders the one with the least space is named. */
export async function describeFullDisk(dirs: readonly string[], cause: unknown): Promise<ToolError> {
  const disks = await groupByDisk(dirs.map((dir) => ({ dir, bytes: 0 })));
  const [fullest] = disks.sort((a, b) => a.freeBytes - b.freeBytes);
  return createDiskFull(fullest?.dirs ?? dirs, fullest?.freeBytes ?? 0, "", cause);
}

/** Whether a child's output says that the disk was full; it may have been wrapped to a width. */
export function saysDiskFull(output: string): boolean {
  return /\b(ENOSPC|EDQUOT|NoSpaceLeft)\b|no space left on device|disk quota exceeded/i.test(
    output.replace(/\s+/g, " "),
  );
}

interface Disk {
  dirs: string[];
  bytes: number;
  freeBytes: number;
}

/** Folders on one disk share its space. */
async function groupByDisk(needs: readonly DiskNeed[]): Promise<Disk[]> {
  const disks = new Map<number, Disk>();
  for (const { dir, bytes } of needs) {
    const { dev } = await stat(dir);
    const disk = disks.get(dev) ?? { dirs: [], bytes: 0, freeBytes: await measureFree(dir) };
    disks.set(dev, { ...disk, dirs: [...disk.dirs, dir], bytes: disk.bytes + bytes });
  }
  return [...disks.values()];
}

async function measureFree(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize;
}

function createDiskFull(
  dirs: readonly string[],
  freeBytes: number,
  wanted: string,
  cause?: unknown,
): ToolError {
  return new ToolError({
    code: "CODEX_JS_SMOKE_DISK_FULL",
    message: `not enough space on the disk of ${dirs.join(" and ")}: ${wanted}${formatBytes(freeBytes)} free`,
    hint: "free space there, or put the projects and caches on another disk; then run the same command again",
    exitCode: exitCodes.external,
    cause,
  });
}
