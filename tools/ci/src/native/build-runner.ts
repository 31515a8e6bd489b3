import { createHash } from "node:crypto";
import { chmod, copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProcess, ToolError } from "@codex-js/cli-kit";
import { findHostTarget, readNativeHost } from "@codex-js/v8-prebuilt";

const programName = "codex-js-mod-runner";
/** Beside the program in its package: what is linked into it, with the licences. */
const noticesName = "THIRD-PARTY-NOTICES.txt";

export interface RunnerBuild {
  /** Folder of the Cargo workspace. */
  crateDir: string;
  /** Rust target. */
  triple: string;
  /** Absolute; made anew, and there only when all went well. */
  outputDir: string;
  /** cargo's whole environment. */
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  onLine?: (line: string) => void;
}

/** `runner.json`, which lies beside the program in the folder and in the platform package. */
export interface RunnerManifest {
  version: 1;
  /** Path of the program within the folder. */
  program: string;
  /** Rust target. */
  triple: string;
  /** SHA-256 of the program, in hexadecimal. */
  sha256: string;
}

/**
 * Builds the snapshot and the runner that embeds it, and lays the program with its notices and its manifest into a folder: what
 * a job of the release hands over, and what a build at home leaves, are the same.
 * @throws ToolError CODEX_JS_PROCESS_FAILED (external) with what cargo said
 */
export async function buildRunner(build: RunnerBuild): Promise<RunnerManifest> {
  const { crateDir, triple, outputDir } = build;
  await addTarget(build);
  // This machine's own target without its name, as `cargo build` at home does it: what is built is built once.
  const isHost = triple === findHostTarget(readNativeHost()).triple;
  // One profile for all: cargo builds V8's glue once.
  const profile = ["--release", "--locked", ...(isHost ? [] : ["--target", triple])];
  const run = (name: string, file: string) =>
    runCargo(build, ["run", ...profile, "--package", name, "--", join("target", file)]);
  await run("codex-js-snapshot", "snapshot.bin");
  // At home the tests want kernel-probe as well; nobody runs another target's here.
  const probe = isHost ? ["--package", "codex-js-sandbox"] : [];
  await runCargo(build, ["build", ...profile, "--package", "codex-js-runner", ...probe]);
  await run("codex-js-notices", noticesName);
  const built = isHost ? ["release"] : [triple, "release"];
  return layOut(
    {
      program: join(crateDir, "target", ...built, programName),
      notices: join(crateDir, "target", noticesName),
    },
    { triple, outputDir },
  );
}

/** rustup has the standard library of other targets; a Rust without rustup has what its packager gave it. */
async function addTarget({ crateDir, triple, env, signal }: RunnerBuild): Promise<void> {
  if (triple === findHostTarget(readNativeHost()).triple) return;
  try {
    await runProcess("rustup", ["target", "add", triple], { cwd: crateDir, env, signal });
  } catch (error) {
    signal.throwIfAborted();
    const isMissing = error instanceof ToolError && (error.cause as NodeJS.ErrnoException)?.code === "ENOENT";
    if (!isMissing) throw error;
  }
}

async function runCargo({ crateDir, env, signal, onLine }: RunnerBuild, args: string[]): Promise<void> {
  await runProcess("cargo", args, {
    cwd: crateDir,
    env,
    signal,
    ...(onLine === undefined ? {} : { onLine }),
  });
}

async function layOut(
  { program, notices }: { program: string; notices: string },
  { triple, outputDir }: Pick<RunnerBuild, "triple" | "outputDir">,
): Promise<RunnerManifest> {
  const bytes = await readFile(program);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const manifest: RunnerManifest = { version: 1, program: programName, triple, sha256 };
  const fresh = `${outputDir}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  await copyFile(program, join(fresh, programName));
  await chmod(join(fresh, programName), 0o755);
  await copyFile(notices, join(fresh, noticesName));
  await writeFile(join(fresh, "runner.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await rm(outputDir, { recursive: true, force: true });
  await rename(fresh, outputDir);
  return manifest;
}
