import { join } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { PackageManifest, PublicPackage } from "@codex-js/pack";
import type { TypeEntry } from "./types.ts";

/**
 * Every entry point of a package that names types; none for a package that is only a command.
 * @throws ToolError CODEX_JS_API_PATTERN (usage): a subpath with a star is no single entry point
 */
export function listTypeEntries(pkg: PublicPackage): TypeEntry[] {
  const unscoped = pkg.name.replace(/^@[^/]+\//, "");
  return Object.entries(readSubpaths(pkg.manifest)).flatMap(([subpath, target]) => {
    const types = findTypes(target);
    if (types === undefined) return [];
    if (types.includes("*")) throw patternError(pkg.name, subpath);
    const suffix = subpath.replace(/^\.\/?/, "").replaceAll("/", "-");
    const reportName = suffix === "" ? unscoped : `${unscoped}-${suffix}`;
    return {
      package: pkg.name,
      packageDir: pkg.dir,
      typesFile: join(pkg.dir, types),
      reportFile: join(pkg.dir, "etc", `${reportName}.api.md`),
    };
  });
}

/** `exports` as subpath → target; a manifest without it has one entry point, `types`. */
function readSubpaths(manifest: PackageManifest): Record<string, unknown> {
  const { exports, types } = manifest;
  if (exports === undefined) return { ".": { types } };
  if (typeof exports !== "object" || exports === null) return { ".": exports };
  const isSubpaths = Object.keys(exports).every((key) => key.startsWith("."));
  return isSubpaths ? (exports as Record<string, unknown>) : { ".": exports };
}

/** The first `types` condition, at any depth of conditions. */
function findTypes(target: unknown): string | undefined {
  if (typeof target !== "object" || target === null) return undefined;
  for (const [condition, nested] of Object.entries(target)) {
    const found = condition === "types" && typeof nested === "string" ? nested : findTypes(nested);
    if (found !== undefined) return found;
  }
  return undefined;
}

function patternError(name: string, subpath: string): ToolError {
  return new ToolError({
    code: "CODEX_JS_API_PATTERN",
    message: `${name} exports ${subpath}, a pattern, and an API report is of one entry point`,
    hint: 'name each entry point in "exports"',
    exitCode: exitCodes.usage,
  });
}
