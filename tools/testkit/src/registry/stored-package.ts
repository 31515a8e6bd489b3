import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";

/** What verdaccio's own metadata says of one package. */
export interface StoredPackage {
  /** By file name. */
  tarballs: Map<string, StoredTarball>;
}

export interface StoredTarball {
  /** `uplink`: it can be fetched anew. */
  origin: "published" | "uplink";
  /** As npm gives them; either may be missing. */
  integrity?: string;
  shasum?: string;
}

interface Metadata {
  versions?: Record<string, { dist?: { tarball?: string; integrity?: string; shasum?: string } }>;
  _distfiles?: Record<string, unknown>;
}

/** Undefined where its package.json is not there or no metadata; every other failure to read it rejects. */
export async function readStoredPackage(packageDir: string): Promise<StoredPackage | undefined> {
  const text = await readFile(join(packageDir, "package.json"), "utf8").catch((error: Error) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  });
  const metadata = parse(text);
  if (metadata === undefined) return undefined;
  const { versions = {}, _distfiles: fromUplink = {} } = metadata;
  const tarballs = new Map<string, StoredTarball>();
  for (const filename of Object.keys(fromUplink)) tarballs.set(filename, { origin: "uplink" });
  for (const { dist } of Object.values(versions)) {
    const filename = basename(dist?.tarball ?? "");
    const { integrity, shasum } = dist ?? {};
    tarballs.set(filename, {
      origin: filename in fromUplink ? "uplink" : "published",
      ...(integrity === undefined ? {} : { integrity }),
      ...(shasum === undefined ? {} : { shasum }),
    });
  }
  return { tarballs };
}

/** Whether the file has the promised bytes; undefined when it is not there, true when nothing was promised. */
export async function isWholeTarball(file: string, tarball: StoredTarball): Promise<boolean | undefined> {
  const [algorithm, digest, encoding] = findPromise(tarball);
  const hash = createHash(algorithm);
  try {
    await pipeline(createReadStream(file), hash);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  return digest === undefined || hash.digest(encoding) === digest;
}

function findPromise({ integrity, shasum }: StoredTarball): [string, string | undefined, "base64" | "hex"] {
  const sha512 = /(?:^|\s)sha512-(\S+)/.exec(integrity ?? "")?.[1];
  return sha512 === undefined ? ["sha1", shasum, "hex"] : ["sha512", sha512, "base64"];
}

function parse(text: string): Metadata | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isMetadata = typeof value === "object" && value !== null && "versions" in value;
    return isMetadata ? (value as Metadata) : undefined;
  } catch {
    return undefined;
  }
}
