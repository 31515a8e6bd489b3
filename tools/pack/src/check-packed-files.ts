import { matchesGlob } from "node:path";
import { listBinPaths, listEntryPoints, trimPath } from "./entry-points.ts";
import type { Finding, PackedFile, PackedTarball } from "./types.ts";

/** npm packs these whatever `files` says; ours must have all of them. */
const alwaysPacked = ["package.json", "README.md", "LICENSE"];

/** What the manifest promises against what is in the tarball: entry points, bins, the list of files. */
export function checkPackedFiles(tarball: PackedTarball): Finding[] {
  return [
    ...checkEntryPoints(tarball),
    ...listBinPaths(tarball.manifest).flatMap((path) =>
      checkBin(tarball.files.find((file) => file.path === path)),
    ),
    ...checkMissingFiles(tarball),
    ...checkStrayFiles(tarball),
  ];
}

function checkEntryPoints({ manifest, files }: PackedTarball): Finding[] {
  return listEntryPoints(manifest)
    .filter(({ target }) => !files.some(({ path }) => matchesTarget(path, trimPath(target))))
    .map(({ field, target }) => ({
      code: "CODEX_JS_PACK_MISSING_ENTRY",
      message: `package.json: ${field} names ${target}, which is not in the tarball`,
      hint: 'run pnpm build, and see that "files" includes it',
    }));
}

/** In `exports`, a star stands for any text, slashes included. */
function matchesTarget(path: string, target: string): boolean {
  const [before = "", after] = target.split("*", 2);
  if (after === undefined) return path === target;
  return path.length >= target.length && path.startsWith(before) && path.endsWith(after);
}

/** A bin that is not there is checkEntryPoints' finding. */
function checkBin(file: PackedFile | undefined): Finding[] {
  if (file === undefined) return [];
  const findings: Finding[] = [];
  if ((file.mode & 0o111) !== 0o111) {
    findings.push({
      code: "CODEX_JS_PACK_BIN_MODE",
      message: `${file.path} is a bin of mode ${file.mode.toString(8)}, expected 755`,
    });
  }
  if (/\.[cm]?js$/.test(file.path) && !isNodeHashbang(file.hashbang)) {
    findings.push({
      code: "CODEX_JS_PACK_BIN_HASHBANG",
      message: `${file.path} is a bin that begins with ${JSON.stringify(file.hashbang ?? "")}, expected "#!/usr/bin/env node"`,
      hint: "make it the first line of the built file, ended by a line feed alone",
    });
  }
  return findings;
}

/** A carriage return at its end makes the kernel look for a program called `node\r`. */
function isNodeHashbang(line: string | undefined): boolean {
  return line !== undefined && /^#!\/usr\/bin\/env (?:-S )?node(?: .*[^\r])?$/.test(line);
}

function checkMissingFiles({ files }: PackedTarball): Finding[] {
  return alwaysPacked
    .filter((path) => !files.some((file) => file.path === path))
    .map((path) => ({
      code: "CODEX_JS_PACK_MISSING_FILE",
      message: `${path} is not in the tarball`,
      hint: path === "README.md" ? "write one: it is the package's page on the registry" : "pack again",
    }));
}

function checkStrayFiles({ manifest, files }: PackedTarball): Finding[] {
  const patterns = manifest.files;
  if (patterns === undefined) {
    const message = 'package.json has no "files", so whatever lies in its folder is published';
    return [{ code: "CODEX_JS_PACK_FILES", message, hint: 'add "files": ["dist"]' }];
  }
  return files
    .filter(({ path }) => !alwaysPacked.includes(path) && !isListed(path, patterns))
    .map(({ path }) => ({
      code: "CODEX_JS_PACK_STRAY_FILE",
      message: `${path} is in the tarball, but "files" does not name it`,
    }));
}

function isListed(path: string, patterns: readonly string[]): boolean {
  const matches = (pattern: string) => {
    const glob = trimPath(pattern).replace(/\/$/, "");
    return matchesGlob(path, glob) || matchesGlob(path, `${glob}/**`);
  };
  const isNegated = (pattern: string) => pattern.startsWith("!");
  return (
    patterns.some((pattern) => !isNegated(pattern) && matches(pattern)) &&
    !patterns.some((pattern) => isNegated(pattern) && matches(pattern.slice(1)))
  );
}
