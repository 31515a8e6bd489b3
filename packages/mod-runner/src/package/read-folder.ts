import { constants, type Dirent } from "node:fs";
import { type FileHandle, open, readdir, realpath } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { limits } from "../../generated/limits.ts";
import { ModError } from "../errors.ts";
import { checkModulePath, isModulePath } from "./check-path.ts";

/**
 * Opens what the last part of a path names and nothing that a link there points at. O_NONBLOCK: a FIFO would
 * wait for a writer. O_NOFOLLOW_ANY (macOS, of <sys/fcntl.h>) refuses links in the folders above, too.
 */
const noLinks = process.platform === "darwin" ? 0x2000_0000 : constants.O_NOFOLLOW;
const safeFlags = constants.O_RDONLY | constants.O_NONBLOCK | noLinks;

/** Not the mod's: what an editor, git or a package manager keeps there. */
const isLeftOut = (name: string) => name.startsWith(".") || name === "node_modules";

interface Reading {
  files: Record<string, string>;
  problems: string[];
  /** What may still be read. */
  restBytes: number;
  restEntries: number;
}

/**
 * The text files of a mod's folder by path. Links and special files are refused, wherever they are; each
 * file and folder is checked after it was opened, and opened through the folder that was checked, so that
 * nothing can be swapped in between.
 * @returns the folder's real path with the files
 * @throws ModError mod_invalid with every problem that there is
 */
export async function readFolder(path: string): Promise<{ folder: string; files: Record<string, string> }> {
  const folder = await realpath(path).catch((cause: NodeJS.ErrnoException) => {
    throw describeUnreadable(path, cause);
  });
  const reading: Reading = {
    files: {},
    problems: [],
    restBytes: limits.allModulesBytes,
    restEntries: 8 * limits.modules,
  };
  await readEntries(folder, "", reading);
  if (reading.problems.length === 0) return { folder, files: reading.files };
  throw new ModError("mod_invalid", `${folder}: ${reading.problems.join("; ")}`);
}

function describeUnreadable(path: string, cause: NodeJS.ErrnoException): ModError {
  const folder = resolve(path);
  if (cause.code !== "ENOENT") {
    return new ModError("mod_invalid", `${folder} cannot be read (${cause.code ?? cause.message})`, {
      cause,
    });
  }
  const hint = isAbsolute(path)
    ? `npx codex-js-mod init ${JSON.stringify(path)} writes a mod there`
    : `${path} is looked for in ${process.cwd()}, where this program runs: name the folder from there, or by its absolute path`;
  return new ModError("mod_invalid", `there is no folder ${folder}`, { hint });
}

function readEntries(at: string, prefix: string, reading: Reading): Promise<void> {
  return withOpen(at, prefix, reading, async (dir) => {
    if ((await dir.stat()).isDirectory()) await readOpenFolder(pathOfHandle(dir, at), prefix, reading);
    else if (prefix !== "") reading.problems.push(`${prefix} is no folder`);
    else reading.problems.push("the mod is no folder: name the one that mod.json is in");
  });
}

async function readOpenFolder(inside: string, prefix: string, reading: Reading): Promise<void> {
  const entries = await readdir(inside, { withFileTypes: true });
  for (const entry of entries.filter(({ name }) => !isLeftOut(name)).sort(compareNames)) {
    if (reading.restEntries-- <= 0) {
      reading.problems.push(`there are more than ${8 * limits.modules} files and folders`);
      return;
    }
    const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isDirectory()) await readEntries(join(inside, entry.name), path, reading);
    else await readEntry(join(inside, entry.name), path, entry, reading);
    if (reading.restBytes < 0) return;
  }
}

async function readEntry(at: string, path: string, entry: Dirent, reading: Reading): Promise<void> {
  if (!entry.isFile()) {
    reading.problems.push(`${path} is ${describeKind(entry)}, expected a file`);
  } else if (isModulePath(path)) {
    const problem = checkModulePath(path);
    if (problem === undefined) await readText(at, path, reading);
    else reading.problems.push(`${JSON.stringify(path)} ${problem}`);
  }
}

function readText(at: string, path: string, reading: Reading): Promise<void> {
  return withOpen(at, path, reading, async (file) => {
    if ((await file.stat()).isFile()) await readOpenFile(file, path, reading);
    else reading.problems.push(`${path} is no file any more`);
  });
}

async function readOpenFile(file: FileHandle, path: string, reading: Reading): Promise<void> {
  const bytes = await readBounded(file, limits.moduleBytes + 1);
  reading.restBytes -= bytes.length;
  if (bytes.length > limits.moduleBytes) {
    reading.problems.push(`${path} has more than ${limits.moduleBytes} bytes`);
  } else if (reading.restBytes < 0) {
    reading.problems.push(`the files have more than ${limits.allModulesBytes} bytes`);
  } else {
    reading.files[path] = decode(bytes, path, reading);
  }
}

/** However large the file says that it is, or grows meanwhile. */
async function readBounded(file: FileHandle, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let total = 0; total < limitBytes; ) {
    const chunk = Buffer.allocUnsafe(Math.min(65_536, limitBytes - total));
    const { bytesRead } = await file.read(chunk, 0, chunk.length);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer, path: string, reading: Reading): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    reading.problems.push(`${path} is not UTF-8`);
    return "";
  }
}

async function withOpen(
  at: string,
  path: string,
  reading: Reading,
  use: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const handle = await open(at, safeFlags).catch((error: NodeJS.ErrnoException) => {
    const { code = "" } = error;
    const isLink = code === "ELOOP" || code === "EMLINK";
    reading.problems.push(`${path || "the mod"} ${isLink ? "is a link" : `cannot be read (${code})`}`);
  });
  if (handle === undefined) return;
  try {
    await use(handle);
  } finally {
    await handle.close();
  }
}

/** On Linux the open folder itself, whatever its path leads to by now; elsewhere the path. */
function pathOfHandle(dir: FileHandle, path: string): string {
  return process.platform === "linux" ? `/proc/self/fd/${dir.fd}` : path;
}

function describeKind(entry: Dirent): string {
  if (entry.isSymbolicLink()) return "a link";
  if (entry.isFIFO()) return "a FIFO";
  if (entry.isSocket()) return "a socket";
  return entry.isDirectory() ? "a folder" : "a device";
}

function compareNames(left: Dirent, right: Dirent): number {
  return left.name < right.name ? -1 : 1;
}
