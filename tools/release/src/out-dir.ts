import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";

/** Keeps git away, and marks a folder whose contents a release may delete. */
const marker = "# made by `pnpm release`, which deletes what is in here\n*\n";

/**
 * Creates the out dir. One that is there must be empty or of an earlier release.
 * @throws ToolError CODEX_JS_RELEASE_OUT_DIR_UNUSABLE (usage)
 */
export async function prepareOutDir(outDir: string): Promise<void> {
  const markerFile = join(outDir, ".gitignore");
  try {
    await mkdir(outDir, { recursive: true });
    const names = await readdir(outDir);
    if (names.length > 0) {
      const found = await readFile(markerFile, "utf8").catch(() => "");
      if (found === marker) return;
      throw describeForeign(outDir);
    }
    await writeFile(markerFile, marker);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof ToolError || code === "ENOSPC") throw cause;
    throw new ToolError({
      code: "CODEX_JS_RELEASE_OUT_DIR_UNUSABLE",
      message: `the out dir ${outDir} cannot be used as a folder (${code ?? "unknown reason"})`,
      hint: "give --out a folder that you can write to",
      exitCode: exitCodes.usage,
      cause,
    });
  }
}

function describeForeign(outDir: string): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_OUT_DIR_UNUSABLE",
    message: `the out dir ${outDir} holds files that no release has put there, and a release deletes in its out dir`,
    hint: "give --out an empty folder or one that is not there yet",
    exitCode: exitCodes.usage,
  });
}
