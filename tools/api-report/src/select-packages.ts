import { isAbsolute, relative, resolve, sep } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { listPublicPackages, type PublicPackage } from "@codex-js/pack";
import { listTypeEntries } from "./list-type-entries.ts";

/**
 * The packages that a command is about: those of `dirs`, else the one that `cwd` is in, else every public
 * package whose exports name types.
 * @throws ToolError CODEX_JS_API_PACKAGE (usage) for a folder that is no such package
 */
export async function selectPackages(
  root: string,
  cwd: string,
  dirs: readonly string[],
): Promise<PublicPackage[]> {
  const candidates = (await listPublicPackages(root)).filter((pkg) => listTypeEntries(pkg).length > 0);
  if (dirs.length > 0) return dirs.map((dir) => findPackage(candidates, resolve(cwd, dir)));
  const current = candidates.find((pkg) => isInside(cwd, pkg.dir));
  return current === undefined ? candidates : [current];
}

function findPackage(candidates: readonly PublicPackage[], dir: string): PublicPackage {
  const found = candidates.find((pkg) => pkg.dir === dir);
  if (found !== undefined) return found;
  const names = candidates.map((pkg) => pkg.dir).join(", ");
  throw new ToolError({
    code: "CODEX_JS_API_PACKAGE",
    message: `${dir} is no public package whose exports name types; those are: ${names || "none"}`,
    hint: "name the folder of one of them, or leave --package out for all",
    exitCode: exitCodes.usage,
  });
}

function isInside(path: string, dir: string): boolean {
  const way = relative(dir, path);
  return !isAbsolute(way) && way.split(sep)[0] !== "..";
}
