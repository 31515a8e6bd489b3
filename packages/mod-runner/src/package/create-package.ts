import { limits } from "../../generated/limits.ts";
import { ModError } from "../errors.ts";
import { type ParsedManifest, parseManifest } from "../manifest/parse-manifest.ts";
import { pickDefined } from "../pick-defined.ts";
import { checkModulePath, manifestPath } from "./check-path.ts";
import { computeDigest } from "./digest.ts";
import type { ModPackage } from "./mod-package.ts";

/**
 * Checks the files of a mod and puts its package together.
 * @param files - text by path, `mod.json` among them
 * @throws ModError mod_invalid with every problem that there is
 */
export function createPackage(files: Readonly<Record<string, string>>, folder?: string): ModPackage {
  const place = folder === undefined ? manifestPath : `${folder}/${manifestPath}`;
  const parsed = parseManifest(files[manifestPath], place);
  const { manifest, hooks } = parsed;
  const paths = Object.keys(files).filter((path) => path !== manifestPath);
  const missing = [...hooks]
    .filter(([, { module }]) => !paths.includes(module))
    .map(([name, { module }]) => `hook ${name} is in ${module}, which the package does not have`);
  const modules = Object.fromEntries(paths.sort().map((path) => [path, files[path]!]));
  const modulesJson = JSON.stringify(modules);
  const roomBytes = lineRoomBytes - Buffer.byteLength(modulesJson);
  const problems = [...checkFiles(modules), ...checkRoom(roomBytes), ...missing];
  if (manifest === undefined || parsed.problems.length > 0 || problems.length > 0) {
    throw createInvalid(parsed, place, problems);
  }
  return {
    name: manifest.name,
    version: manifest.version,
    manifest,
    hooks,
    asks: new Set(manifest.grants),
    modules,
    modulesJson,
    cacheRoomBytes: roomBytes,
    digest: computeDigest(files),
    folder,
  };
}

function createInvalid(
  { manifest, problems, hint }: ParsedManifest,
  place: string,
  fileProblems: readonly string[],
): ModError {
  const subject = problems.length > 0 || manifest === undefined ? place : manifest.name;
  return new ModError(
    "mod_invalid",
    `${subject}: ${[...problems, ...fileProblems].join("; ")}`,
    pickDefined({ mod: manifest?.name, hint }),
  );
}

function checkFiles(modules: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries(modules);
  const sizes = entries.map(([, text]) => Buffer.byteLength(text));
  const sum = sizes.reduce((total, size) => total + size, 0);
  const problems = entries.flatMap(([path, text], index) => {
    const problem =
      checkModulePath(path) ??
      (text.isWellFormed() ? undefined : "is no Unicode text") ??
      (sizes[index]! > limits.moduleBytes
        ? `has ${sizes[index]} bytes, expected at most ${limits.moduleBytes}`
        : undefined);
    return problem === undefined ? [] : [`${JSON.stringify(path)} ${problem}`];
  });
  if (entries.length > limits.modules) {
    problems.push(`there are ${entries.length} modules, expected at most ${limits.modules}`);
  }
  if (sum > limits.allModulesBytes) {
    problems.push(`the modules have ${sum} bytes, expected at most ${limits.allModulesBytes}`);
  }
  return problems;
}

/** Of a line to the runner, without an input and what stands around it. */
const lineRoomBytes = limits.hostLineBytes - limits.inputBytes - 65_536;

function checkRoom(roomBytes: number): string[] {
  if (roomBytes >= 0) return [];
  return [`the modules have ${lineRoomBytes - roomBytes} bytes as JSON, expected at most ${lineRoomBytes}`];
}
