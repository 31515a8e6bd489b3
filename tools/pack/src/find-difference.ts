import { readFile } from "node:fs/promises";
import { readEntries, type TarballEntry } from "./tarball-entries.ts";

/** What differs first between two tarballs, in words; undefined when they are byte-identical. */
export async function findDifference(fileA: string, fileB: string): Promise<string | undefined> {
  const [a, b] = await Promise.all([readFile(fileA), readFile(fileB)]);
  if (a.equals(b)) return undefined;
  const [entriesA, entriesB] = await Promise.all([readEntries(a), readEntries(b)]);
  return (
    compareEntries(entriesA, entriesB) ??
    `the same files, but the archives differ at byte ${firstDifference(a, b)}`
  );
}

function compareEntries(entriesA: TarballEntry[], entriesB: TarballEntry[]): string | undefined {
  const paths = new Set([...entriesA, ...entriesB].map(({ path }) => path));
  for (const path of [...paths].sort()) {
    const a = entriesA.find((entry) => entry.path === path);
    const b = entriesB.find((entry) => entry.path === path);
    if (a === undefined || b === undefined) return `${path} is in one of them only`;
    if (a.mode !== b.mode) return `${path} has mode ${a.mode.toString(8)}, then ${b.mode.toString(8)}`;
    if (!a.content.equals(b.content)) return describeContent(path, a.content, b.content);
  }
  return undefined;
}

function describeContent(path: string, a: Buffer, b: Buffer): string {
  return `${path} differs at byte ${firstDifference(a, b)} (${a.length} B, then ${b.length} B)`;
}

function firstDifference(a: Buffer, b: Buffer): number {
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at === -1 ? a.length : at;
}
