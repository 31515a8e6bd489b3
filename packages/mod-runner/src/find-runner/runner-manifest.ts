import { readFileSync } from "node:fs";
import { join } from "node:path";

/** `runner.json` of a platform package, which the release writes beside the program. */
export interface RunnerManifest {
  version: 1;
  /** Path of the program within the package. */
  program: string;
  /** Rust target. */
  triple: string;
  /** SHA-256 of the program, in hexadecimal. */
  sha256: string;
}

/** The manifest, or what is wrong with it. */
export function readRunnerManifest(packageDir: string): RunnerManifest | string {
  const path = join(packageDir, "runner.json");
  let manifest: Partial<RunnerManifest> | null;
  try {
    manifest = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return `${path} cannot be read: ${(error as Error).message}`;
  }
  const { version, program, triple, sha256 } = manifest ?? {};
  const isWhole =
    version === 1 &&
    typeof triple === "string" &&
    typeof program === "string" &&
    !program.split("/").includes("..") &&
    typeof sha256 === "string" &&
    /^[0-9a-f]{64}$/.test(sha256);
  return isWhole ? (manifest as RunnerManifest) : `${path} is no manifest of version 1`;
}
