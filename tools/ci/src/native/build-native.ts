import { access } from "node:fs/promises";
import { join } from "node:path";
import {
  type CliContext,
  createProgress,
  exitCodes,
  findWorkspaceRoot,
  resolveUserPath,
  ToolError,
} from "@codex-js/cli-kit";
import { type Target, targets } from "@codex-js/platforms";
import { findHostTarget, prepareNativeBuild, readNativeHost } from "@codex-js/v8-prebuilt";
import { buildRunner } from "./build-runner.ts";

export interface NativeOptions {
  /** Default: this machine's. */
  target?: string;
  output?: string;
  /** The folder in which the output is named after its target. */
  outputParent?: string;
  json?: boolean;
}

/**
 * Builds the mod runner for one target, with the V8 that the lock names.
 * @throws ToolError CODEX_JS_CI_UNKNOWN_TARGET (usage), CODEX_JS_CI_NO_CRATE (usage), those of V8 and of cargo
 */
export async function buildNative(context: CliContext, options: NativeOptions): Promise<void> {
  const root = findWorkspaceRoot(context.cwd);
  const target = requireTarget(options.target ?? findHostTarget(readNativeHost()).id);
  const crateDir = join(root, "packages", "mod-runner", "native");
  await requireCrate(crateDir);
  const outputDir = resolveOutput(context, options, join(root, ".native"), target.id);
  const step = createProgress(context).start(`Build the mod runner for ${target.triple}`);
  try {
    const prepared = await prepareNativeBuild({ context, crateDir, target: target.triple, strict: true });
    // Strict: what is missing has been thrown.
    if (prepared.status !== "ready") throw new Error(prepared.reason);
    const { env } = prepared;
    const { signal } = context;
    const manifest = await buildRunner({
      crateDir,
      triple: target.triple,
      outputDir,
      env,
      signal,
      onLine: step.update,
    });
    step.succeed(outputDir);
    context.stdout.write(
      options.json === true
        ? `${JSON.stringify({ version: 1, target: target.id, dir: outputDir, manifest })}\n`
        : `${join(outputDir, manifest.program)} ${manifest.sha256}\n`,
    );
  } catch (error) {
    step.fail();
    throw error;
  }
}

function resolveOutput(
  { cwd }: CliContext,
  { output, outputParent }: NativeOptions,
  defaultParent: string,
  id: string,
): string {
  if (output !== undefined) return resolveUserPath(cwd, "--output", output);
  if (outputParent === undefined) return join(defaultParent, id);
  return join(resolveUserPath(cwd, "--output-parent", outputParent), id);
}

function requireTarget(id: string): Target {
  const known = targets.filter(({ modRunner }) => modRunner !== false);
  const found = known.find((target) => target.id === id);
  if (found !== undefined) return found;
  throw new ToolError({
    code: "CODEX_JS_CI_UNKNOWN_TARGET",
    message: `there is no mod runner for a target ${id}`,
    hint: `--target takes ${known.map((target) => target.id).join(", ")}`,
    exitCode: exitCodes.usage,
  });
}

async function requireCrate(crateDir: string): Promise<void> {
  try {
    await access(join(crateDir, "Cargo.toml"));
  } catch (cause) {
    throw new ToolError({
      code: "CODEX_JS_CI_NO_CRATE",
      message: `${crateDir} is no Cargo workspace: this commit has no mod runner to build`,
      hint: "build a commit that has one",
      exitCode: exitCodes.usage,
      cause,
    });
  }
}
