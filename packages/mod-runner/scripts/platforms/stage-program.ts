import { chmod, copyFile, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Target } from "@codex-js/platforms";
import { runnerProgramPath } from "@codex-js/platforms/built-runner";
import { checkBinary } from "./check-binary.ts";

export interface StageOptions {
  target: Target;
  /** The platform package. */
  platformDir: string;
  /** What native-build/scripts/build.ts leaves: state.json, and a folder for the target that it was built for. */
  nativeDir: string;
  /** What other machines have built, in a folder for each target; instead of `nativeDir`. */
  binariesDir: string | undefined;
}

export type StageOutcome =
  | { status: "built"; sizeBytes: number }
  | { status: "left-out"; reason: string }
  | { status: "faulty"; problems: string[] };

const noticesName = "THIRD-PARTY-NOTICES.txt";

/**
 * What is said of it; undefined where `pnpm build` has said it in one line for all targets, or where it is so on every
 * machine: of another target, which the release workflow builds. `build.json` has the reason all the same.
 */
export function describeStaged(
  outcome: Exclude<StageOutcome, { status: "faulty" }>,
  { CODEX_JS_NATIVE: inputs }: NodeJS.ProcessEnv,
): string | undefined {
  if (outcome.status === "built") return `${outcome.sizeBytes} bytes`;
  // Somebody who hands over programs wants to know which one is missing.
  const isTold = inputs !== undefined && !inputs.startsWith("binaries:");
  return isTold ? undefined : `left out: ${outcome.reason}`;
}

/**
 * Puts a target's program with its manifest and notices into its platform package, when every check of it
 * passes. What is there afterwards is whole: `build.json`, written last, says what; a release goes by that
 * alone, so files that an earlier build has left mean nothing.
 */
export async function stageProgram(options: StageOptions): Promise<StageOutcome> {
  const { platformDir } = options;
  await rm(join(platformDir, "build.json"), { force: true });
  const source = await findSource(options);
  if ("reason" in source) {
    await Promise.all(
      ["bin", "runner.json", noticesName].map((name) =>
        rm(join(platformDir, name), { recursive: true, force: true }),
      ),
    );
    await writeJson(join(platformDir, "build.json"), {
      version: 1,
      status: "left-out",
      reason: source.reason,
    });
    return { status: "left-out", reason: source.reason };
  }
  const problems = await checkBinary(source.dir, options.target);
  if (problems.length > 0) return { status: "faulty", problems };
  const sizeBytes = await layOut(source.dir, platformDir);
  await writeJson(join(platformDir, "build.json"), { version: 1, status: "built" });
  return { status: "built", sizeBytes };
}

async function findSource(options: StageOptions): Promise<{ dir: string } | { reason: string }> {
  const { target, nativeDir, binariesDir } = options;
  if (binariesDir !== undefined && binariesDir !== "") {
    const dir = join(binariesDir, target.id);
    const isThere = await stat(dir).then(
      () => true,
      () => false,
    );
    return isThere ? { dir } : { reason: `CODEX_JS_MOD_RUNNER_BINARIES has none for ${target.id}` };
  }
  const state = JSON.parse(await readFile(join(nativeDir, "state.json"), "utf8")) as {
    target?: string;
    reason?: string;
  };
  if (state.reason !== undefined) return { reason: state.reason };
  if (state.target === target.id) return { dir: join(nativeDir, target.id) };
  return { reason: `the release workflow builds it, on a machine for ${target.id}` };
}

/** @returns the program's size */
async function layOut(sourceDir: string, platformDir: string): Promise<number> {
  const manifest = JSON.parse(await readFile(join(sourceDir, "runner.json"), "utf8")) as { program: string };
  const program = join(platformDir, runnerProgramPath);
  await mkdir(dirname(program), { recursive: true });
  await replace(join(sourceDir, manifest.program), program, 0o755);
  await replace(join(sourceDir, noticesName), join(platformDir, noticesName), 0o644);
  await writeJson(join(platformDir, "runner.json"), { ...manifest, program: runnerProgramPath });
  return (await stat(program)).size;
}

/** A program that runs cannot be written to, but its name can be given to another one. */
async function replace(from: string, to: string, mode: number): Promise<void> {
  await copyFile(from, `${to}.new`);
  await chmod(`${to}.new`, mode);
  await rename(`${to}.new`, to);
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`);
  await rename(`${file}.new`, file);
}
