import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import ssri from "ssri";
import { readEntries, type TarballEntry } from "./tarball-entries.ts";
import type { PackageManifest, PackedFile, PackedTarball } from "./types.ts";

/**
 * Reads a packed tarball and measures it.
 * @throws ToolError CODEX_JS_PACK_BAD_TARBALL (external) when it is missing, damaged, holds anything but
 * plain files, or has no valid package.json
 */
export async function readTarball(file: string): Promise<PackedTarball> {
  const path = resolve(file);
  try {
    const bytes = await readFile(path);
    return describeTarball(path, bytes, await readEntries(bytes));
  } catch (error) {
    throw new ToolError({
      code: "CODEX_JS_PACK_BAD_TARBALL",
      message: `${path} is no readable npm tarball`,
      hint: "pack it again",
      exitCode: exitCodes.external,
      cause: error,
    });
  }
}

function describeTarball(file: string, bytes: Buffer, entries: TarballEntry[]): PackedTarball {
  const manifest = readManifest(entries);
  return {
    name: manifest.name,
    version: manifest.version,
    file,
    filename: basename(file),
    integrity: ssri.fromData(bytes, { algorithms: ["sha512"] }).toString(),
    sha256: createHash("sha256").update(bytes).digest("hex"),
    packedBytes: bytes.length,
    unpackedBytes: entries.reduce((sum, entry) => sum + entry.content.length, 0),
    files: entries.map(describeEntry),
    manifest,
  };
}

function describeEntry({ path, mode, content }: TarballEntry): PackedFile {
  const described = { path, sizeBytes: content.length, mode };
  if (content.subarray(0, 2).toString("latin1") !== "#!") return described;
  return { ...described, hashbang: content.subarray(0, 256).toString("utf8").split("\n", 1)[0] ?? "" };
}

function readManifest(entries: TarballEntry[]): PackageManifest {
  const entry = entries.find(({ path }) => path === "package.json");
  if (entry === undefined) throw new Error("it holds no package.json");
  const manifest = JSON.parse(entry.content.toString("utf8")) as PackageManifest;
  if (typeof manifest.name !== "string" || typeof manifest.version !== "string") {
    throw new Error("its package.json has no name or no version");
  }
  return manifest;
}
