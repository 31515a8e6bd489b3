import { execFile } from "node:child_process";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { writeMethodTypes } from "./method-types.ts";

const run = promisify(execFile);

export interface GenerateOptions {
  /** The engine's launcher, a JavaScript file that this Node runs. */
  launcher: string;
  /** The version that the launcher's package claims, e.g. `0.171.0`. */
  pinnedVersion: string;
  /** The folder to replace. */
  outDir: string;
  /** Where the new folder grows up; on the same file system as `outDir`. */
  stagingDir: string;
}

/** Which engine wrote a generated folder; kept in it as `engine.json`. */
export interface GeneratedBy {
  engine: string;
  files: number;
}

/** A failed generation; `outDir` is as it was before. */
export class GenerateError extends Error {
  readonly code: "CODEX_JS_PROTOCOL_ENGINE_FAILED" | "CODEX_JS_PROTOCOL_ENGINE_VERSION";
  readonly hint: string;

  constructor(code: GenerateError["code"], message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.name = "GenerateError";
    this.code = code;
    this.hint = hint;
  }
}

/**
 * Lets the engine write its protocol's types and puts them in the place of `outDir` as one step, so
 * that an interrupted run leaves either the old folder or the new one.
 * @throws GenerateError when the engine cannot be run, fails, or is not the pinned version
 */
export async function generateProtocol(options: GenerateOptions): Promise<GeneratedBy> {
  const { launcher, pinnedVersion, outDir, stagingDir } = options;
  const version = (await runEngine(launcher, ["--version"])).trim().split(/\s+/).at(-1);
  if (version !== pinnedVersion) {
    throw new GenerateError(
      "CODEX_JS_PROTOCOL_ENGINE_VERSION",
      `the engine says it is version ${version}, its package says ${pinnedVersion}`,
      "pnpm install --force",
    );
  }
  await rm(stagingDir, { recursive: true, force: true });
  try {
    await mkdir(stagingDir, { recursive: true });
    await runEngine(launcher, ["app-server", "generate-ts", "--out", stagingDir]);
    await writeMethodTypes(stagingDir);
    const by: GeneratedBy = { engine: version, files: await countTypeScriptFiles(stagingDir) };
    await writeFile(join(stagingDir, "engine.json"), `${JSON.stringify(by, null, 2)}\n`);
    await rm(outDir, { recursive: true, force: true });
    await mkdir(dirname(outDir), { recursive: true });
    await rename(stagingDir, outDir);
    return by;
  } finally {
    await rm(stagingDir, { recursive: true, force: true });
  }
}

async function runEngine(launcher: string, args: string[]): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, [launcher, ...args]);
    return stdout;
  } catch (cause) {
    throw new GenerateError(
      "CODEX_JS_PROTOCOL_ENGINE_FAILED",
      `the engine could not be run: ${cause instanceof Error ? cause.message.trim() : String(cause)}`,
      "pnpm install --force, with optional dependencies: they hold the engine's binary",
      cause,
    );
  }
}

async function countTypeScriptFiles(dir: string): Promise<number> {
  const names = await readdir(dir, { recursive: true });
  return names.filter((name) => name.endsWith(".ts")).length;
}
