import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";

/**
 * What a start of the registry would serve under this version, read from its folder without starting it or
 * changing anything: the integrity, empty when it gives none; undefined when it has no such version.
 * @throws ToolError CODEX_JS_REGISTRY_STORAGE_DAMAGED (external)
 */
export async function readStoredVersion(
  storageDir: string,
  name: string,
  version: string,
): Promise<string | undefined> {
  const file = join(storageDir, name, "package.json");
  try {
    const metadata = JSON.parse(await readFile(file, "utf8")) as {
      versions: Record<string, { dist?: { integrity?: string } }>;
    };
    const found = metadata.versions[version];
    return found === undefined ? undefined : (found.dist?.integrity ?? "");
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw new ToolError({
      code: "CODEX_JS_REGISTRY_STORAGE_DAMAGED",
      message: `${file} is not what the registry keeps of a package`,
      hint: `remove ${join(storageDir, name)}; what was published there is then published anew`,
      exitCode: exitCodes.external,
      cause,
    });
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
