import { writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { PackedTarball } from "@codex-js/pack";
import type { Manifest } from "../pack/manifest.ts";
import { readPrograms } from "./read-programs.ts";

/**
 * Writes each executable of the platform packages into `dir`, named after its package: users of no package
 * manager take it from there.
 * @returns their paths
 */
export async function extractPrograms(
  manifest: Manifest,
  tarballs: readonly PackedTarball[],
  dir: string,
): Promise<string[]> {
  const platforms = new Set(manifest.packages.flatMap((pkg) => pkg.platforms));
  const paths: string[] = [];
  for (const tarball of tarballs.filter(({ name }) => platforms.has(name))) {
    const programs = await readPrograms(tarball);
    for (const { path, content } of programs) {
      const own = tarball.name.replace(/^@/, "").replace("/", "-");
      // Of one program the package's name says it all.
      const name = programs.length === 1 ? own : `${own}-${basename(path, extname(path))}`;
      const file = join(dir, `${name}${extname(path)}`);
      await writeFile(file, content, { mode: 0o755 });
      paths.push(file);
    }
  }
  return paths;
}
