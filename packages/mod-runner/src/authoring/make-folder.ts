import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Creates a folder and those above it that are missing. Node's own recursive `mkdir` never returns where a folder is
 * there but takes no children (below `/proc`, through a dangling link); here each level is tried once.
 * @param folder - absolute
 * @throws the file system's own error
 */
export async function makeFolder(folder: string): Promise<void> {
  if (await isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) await makeFolder(above);
  try {
    await mkdir(folder);
  } catch (error) {
    // Another process may have been faster. A link that leads nowhere is there, and is no folder.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !(await isFolder(folder))) throw error;
  }
}

/**
 * False where there is nothing.
 * @throws ENOTDIR where there is something else
 */
async function isFolder(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  throw Object.assign(new Error(`ENOTDIR: not a directory, '${path}'`), { code: "ENOTDIR" });
}
