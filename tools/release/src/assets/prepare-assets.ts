import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDir } from "@codex-js/cli-kit";
import type { PackedTarball } from "@codex-js/pack";
import { type GithubAssetPlan, toAssetName } from "../github/index.ts";
import type { Manifest } from "../pack/manifest.ts";
import { extractPrograms } from "./extract-programs.ts";
import { createSbom } from "./sbom.ts";

export interface ReleaseFiles {
  version: string;
  manifest: Manifest;
  /** Of the manifest, in its order. */
  tarballs: readonly PackedTarball[];
}

const sumsName = "SHA256SUMS";

/**
 * Writes what a GitHub release holds besides the tarballs into `dir`: the programs of the platform packages, the
 * manifest, a bill of materials, and the sums of them all. The same tarballs give the same bytes, whoever
 * makes them and when: only so can a release that was cut off be compared with what is there.
 * @param dir absolute; made where missing
 */
export async function prepareAssets(files: ReleaseFiles, dir: string): Promise<GithubAssetPlan[]> {
  const { version, manifest, tarballs } = files;
  await makeDir(dir);
  const programs = await extractPrograms(manifest, tarballs, dir);
  const texts = {
    "manifest.json": `${JSON.stringify(manifest, null, 2)}\n`,
    "sbom.cdx.json": createSbom(version, tarballs),
  };
  for (const [name, text] of Object.entries(texts)) await writeFile(join(dir, name), text);
  const paths = [
    ...tarballs.map(({ file }) => file),
    ...programs,
    ...Object.keys(texts).map((name) => join(dir, name)),
  ];
  const assets = await Promise.all(paths.map(describeAsset));
  assets.sort((a, b) => (a.name < b.name ? -1 : 1));
  const sums = assets.map(({ sha256, name }) => `${sha256}  ${name}\n`).join("");
  await writeFile(join(dir, sumsName), sums);
  return [...assets, await describeAsset(join(dir, sumsName))];
}

async function describeAsset(path: string): Promise<GithubAssetPlan> {
  const bytes = await readFile(path);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { name: toAssetName(path.split(/[\\/]/).at(-1)!), path, sizeBytes: bytes.length, sha256 };
}
