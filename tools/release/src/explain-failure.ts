import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { exitCodes, formatBytes, ToolError } from "@codex-js/cli-kit";
import { saysDiskFull } from "@codex-js/smoke";

/** Below this a disk counts as full. */
const nearlyFullBytes = 64 * 1024 * 1024;

/**
 * What a user can do about an error of a step, where the step itself could not know: a full disk shows up in
 * any of them, as an error of this process or as the output of a child.
 */
export async function explainFailure(error: unknown, outDir: string): Promise<unknown> {
  if (error instanceof ToolError && error.code === "CODEX_JS_SMOKE_DISK_FULL") return explainSmoke(error);
  if (!isDiskFull(error)) return error;
  const folder = await findFullest([outDir, tmpdir()]);
  return new ToolError({
    code: "CODEX_JS_RELEASE_DISK_FULL",
    message: `no space left on the disk of ${folder.path} (${formatBytes(folder.freeBytes)} free)`,
    hint: `free space there, or ${folder.path === outDir ? "use another --out" : "set TMPDIR to a folder on another disk"}; then run the same command again`,
    exitCode: exitCodes.external,
    cause: error,
  });
}

/** The smokes have measured where: their projects lie in the temp folder, their caches beside the registry. */
function explainSmoke(error: ToolError): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_DISK_FULL",
    message: error.message,
    hint: "free space there, or set TMPDIR to a folder on another disk (with --registry-dir, that folder too); then run the same command again",
    exitCode: exitCodes.external,
    cause: error.cause,
  });
}

function isDiskFull(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT" || saysDiskFull(one.message)) return true;
  }
  return false;
}

/** The child that met the full disk need not say where; the folder with the least space is the one. */
async function findFullest(paths: string[]): Promise<{ path: string; freeBytes: number }> {
  const measured = await Promise.all(
    paths.map(async (path) => ({ path, freeBytes: await measureFree(path) })),
  );
  const [first, ...rest] = measured;
  return rest.reduce(
    (least, one) => (one.freeBytes < least.freeBytes && one.freeBytes < nearlyFullBytes ? one : least),
    first!,
  );
}

async function measureFree(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
