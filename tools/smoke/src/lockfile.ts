import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What a lock file records about one installed package. */
export interface LockedPackage {
  version: string;
  /** Absent where the lock file leaves out its manager's default registry. */
  resolved?: string;
  integrity?: string;
}

export type Lockfile = Map<string, LockedPackage>;

/** Reads package-lock.json: the top level of node_modules, by package name. */
export async function readNpmLockfile(projectDir: string): Promise<Lockfile> {
  return parseNpmLockfile(await readFile(join(projectDir, "package-lock.json"), "utf8"));
}

/** Reads bun.lock, by package name. */
export async function readBunLockfile(projectDir: string): Promise<Lockfile> {
  return parseBunLockfile(await readFile(join(projectDir, "bun.lock"), "utf8"));
}

export function parseNpmLockfile(text: string): Lockfile {
  const { packages = {} } = JSON.parse(text) as { packages?: Record<string, LockedPackage> };
  const prefix = "node_modules/";
  return new Map(
    Object.entries(packages)
      .filter(([path]) => path.startsWith(prefix) && !path.slice(prefix.length).includes(prefix))
      .map(([path, entry]) => [
        path.slice(prefix.length),
        pick(entry.version, entry.resolved, entry.integrity),
      ]),
  );
}

/** Each entry is `[name@version, registry or tarball URL or "", {…}, integrity]`. */
export function parseBunLockfile(text: string): Lockfile {
  const { packages = {} } = JSON.parse(removeTrailingCommas(text)) as {
    packages?: Record<string, unknown[]>;
  };
  return new Map(
    Object.entries(packages).map(([name, entry]) => {
      const [id, resolved, , integrity] = entry as [string, string?, unknown?, string?];
      return [name, pick(id.slice(id.lastIndexOf("@") + 1), resolved, integrity)];
    }),
  );
}

function pick(version: string, resolved: string | undefined, integrity: string | undefined): LockedPackage {
  return {
    version,
    ...(resolved === undefined || resolved === "" ? {} : { resolved }),
    ...(integrity === undefined ? {} : { integrity }),
  };
}

/** Commas inside strings stay: a string is matched as a whole and put back. */
function removeTrailingCommas(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (match) => (match === "," ? "" : match));
}
