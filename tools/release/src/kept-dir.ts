import { realpathSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { exitCodes, makeDir, ToolError } from "@codex-js/cli-kit";

/** A folder that a release keeps its things in, as the user named it. */
export interface KeptDir {
  /** Absolute. */
  path: string;
  /** The option that names it. */
  flag: "--out" | "--registry-dir";
}

const codes = {
  "--out": "CODEX_JS_RELEASE_OUT_DIR_UNUSABLE",
  "--registry-dir": "CODEX_JS_RELEASE_REGISTRY_DIR_UNUSABLE",
} as const;

/** Keeps git away, and marks a folder whose contents a release may change and delete. */
const marker = "# made by `pnpm release`, which deletes what is in here\n*\n";
const markerName = ".gitignore";

/**
 * A release fills and empties these folders; the repository itself, or a folder around it, can never be one.
 * @throws ToolError CODEX_JS_RELEASE_OUT_DIR_UNUSABLE, CODEX_JS_RELEASE_REGISTRY_DIR_UNUSABLE (usage)
 */
export function requireOutsideOf(root: string, dir: KeptDir): void {
  const below = relative(resolveLinks(dir.path), resolveLinks(root));
  if (below === ".." || below.startsWith(`..${sep}`)) return;
  // Another drive of Windows.
  if (/^[a-z]:/i.test(below)) return;
  throw describeUnusable(dir, below === "" ? "is the repository itself" : "holds the repository");
}

/**
 * Creates the folder. One that is there must be empty or of an earlier release.
 * @throws ToolError CODEX_JS_RELEASE_OUT_DIR_UNUSABLE, CODEX_JS_RELEASE_REGISTRY_DIR_UNUSABLE (usage)
 */
export function prepareKeptDir(dir: KeptDir): Promise<void> {
  return explainUnusable(dir, async () => {
    await makeDir(dir.path);
    if ((await checkContents(dir)) === "empty") await writeFile(join(dir.path, markerName), marker);
  });
}

/**
 * Whether the folder is there, without touching it.
 * @throws as `prepareKeptDir` does
 */
export function findKeptDir(dir: KeptDir): Promise<boolean> {
  return explainUnusable(dir, async () => {
    try {
      await checkContents(dir);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
      throw error;
    }
  });
}

async function checkContents(dir: KeptDir): Promise<"empty" | "ours"> {
  const names = await readdir(dir.path);
  if (names.length === 0) return "empty";
  const found = await readFile(join(dir.path, markerName), "utf8").catch(() => "");
  if (found === marker) return "ours";
  throw describeUnusable(
    dir,
    "holds files that no release has put there, and a release deletes what is in it",
  );
}

async function explainUnusable<Value>(dir: KeptDir, use: () => Promise<Value>): Promise<Value> {
  try {
    return await use();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause instanceof ToolError || code === "ENOSPC") throw cause;
    throw describeUnusable(dir, `cannot be used as a folder (${code ?? "unknown reason"})`, cause);
  }
}

function describeUnusable({ path, flag }: KeptDir, fault: string, cause?: unknown): ToolError {
  return new ToolError({
    code: codes[flag],
    message: `${path} ${fault}`,
    hint: `give ${flag} a folder that is empty or not there yet, and that you can write to`,
    exitCode: exitCodes.usage,
    cause,
  });
}

function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
