import { Parser, type ReadEntry } from "tar";

export interface TarballEntry {
  /** Without the first folder, which npm calls `package`. */
  path: string;
  mode: number;
  content: Buffer;
}

/** Every file of a gzipped tarball in memory, sorted by path; rejects anything that is no plain file. */
export async function readEntries(bytes: Buffer): Promise<TarballEntry[]> {
  const entries: TarballEntry[] = [];
  await new Promise<void>((resolve, reject) => {
    const parser = new Parser({
      strict: true,
      onReadEntry: (entry) => {
        if (entry.type === "Directory") return entry.resume();
        if (entry.type !== "File" && entry.type !== "OldFile") {
          entry.resume();
          return reject(new Error(`${entry.path} is a ${entry.type}, and npm drops everything but files`));
        }
        collectEntry(entry, entries);
      },
    });
    parser.on("end", resolve);
    parser.on("error", reject);
    parser.end(bytes);
  });
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function collectEntry(entry: ReadEntry, entries: TarballEntry[]): void {
  const chunks: Buffer[] = [];
  entry.on("data", (chunk: Buffer) => chunks.push(chunk));
  entry.on("end", () => {
    const path = entry.path.split("/").slice(1).join("/");
    entries.push({ path, mode: (entry.mode ?? 0) & 0o777, content: Buffer.concat(chunks) });
  });
}
