import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Version of this package; a platform package has the same. */
export function readOwnVersion(): string {
  const file = fileURLToPath(import.meta.url);
  for (let dir = dirname(file); ; dir = dirname(dir)) {
    const manifest = readManifest(join(dir, "package.json"));
    if (manifest?.name === "@codex-js/mod-runner") return manifest.version ?? "";
    // Bundled into a program of the user's: there is no version to compare with.
    if (dirname(dir) === dir) return "";
  }
}

function readManifest(path: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
