import { createHash } from "node:crypto";

/**
 * Digest of a package's content. Every path and text goes in with its length, in the order of the paths'
 * code units, so that no two packages read the same.
 */
export function computeDigest(files: Readonly<Record<string, string>>): string {
  const hash = createHash("sha256").update("codex-js mod 1\n");
  for (const path of Object.keys(files).sort()) {
    for (const text of [path, files[path]!]) {
      const bytes = Buffer.from(text);
      hash.update(`${bytes.length}\n`).update(bytes);
    }
  }
  return hash.digest("hex");
}
