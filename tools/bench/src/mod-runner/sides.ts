import { existsSync } from "node:fs";
import { copyFile, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { exitCodes, runProcess, ToolError } from "@codex-js/cli-kit";
import { findBuiltRunner, runnerProgramPath } from "@codex-js/platforms/built-runner";
import { ensureRuntime } from "@codex-js/smoke";
import { createChildEnv } from "../child-env.ts";
import { quote } from "../launch/hyperfine.ts";
import { type ScenarioContext, textOption } from "../scenario.ts";
import { buildBaseline } from "./build-baseline.ts";

export const oursSide = "ours";
export const nodeSide = "node24";

/** One runner: a program that speaks the line protocol. */
export interface RunnerSide {
  name: string;
  /** Absolute. */
  file: string;
  args: string[];
  /** The same as one program to execute, for the host library; it adds arguments of its own. */
  program: string;
  env: Record<string, string>;
  /** A process is replaced after so many callbacks; undefined: never. */
  lifeCallbacks?: number;
}

const root = join(import.meta.dirname, "../../../..");
const built = findBuiltRunner(root, {});

/** Where the build leaves this machine's runner, from the repository's root. */
export const builtRunner = relative(root, built.program ?? built.places[0] ?? basename(runnerProgramPath));

/**
 * Node never collects a context that has had a vm.SourceTextModule (https://github.com/nodejs/node/issues/59118,
 * open with Node 24.21): its heap of 64 MiB is full after some 250 callbacks of these mods.
 */
export const nodeLifeCallbacks = 150;

/** The limit that our runner sets itself, and Node's other flags that the baseline cannot do without. */
const nodeArgs = [
  "--max-old-space-size=64",
  "--experimental-vm-modules",
  "--disable-warning=ExperimentalWarning",
];

/**
 * Both sides, each as a copy of its program in `dir`: nobody else's processes share the copies' pages.
 * @throws ToolError CODEX_JS_BENCH_NOT_BUILT (usage)
 */
export async function prepareSides(context: ScenarioContext, dir: string): Promise<RunnerSide[]> {
  const ours = findRunner(context.root, textOption(context, "runner"));
  const { executable } = await ensureRuntime("node24", { context, cacheDir: context.cacheDir });
  const sandbox = textOption(context, "sandbox");
  const sides: RunnerSide[] = [
    createOurSide(await copyProgram(ours, dir), sandbox),
    await prepareNodeSide(await copyProgram(executable, dir), dir),
  ];
  // Pages of a file that was just written count as private and dirty until they are on the disk.
  await runProcess("sync", [], { cwd: dir, env: createChildEnv(context.env), signal: context.signal });
  return sides;
}

/** @param sandbox empty: the runner's own default */
export function createOurSide(file: string, sandbox = ""): RunnerSide {
  const args = sandbox === "" ? [] : [`--sandbox=${sandbox}`];
  return { name: oursSide, file, args, program: file, env: {} };
}

/** The baseline, on this Node. Without a compile cache: one file of 20 KB compiles faster than a cache is looked up. */
export async function prepareNodeSide(node: string, dir: string): Promise<RunnerSide> {
  const script = await buildBaseline(dir);
  const args = [...nodeArgs, script];
  const program = join(dir, "node-runner");
  // `exec`: the runner is this very process, and its host's child.
  await writeFile(program, `#!/bin/sh\nexec ${[node, ...args].map(quote).join(" ")} "$@"\n`, { mode: 0o755 });
  return { name: nodeSide, file: node, args, program, env: {}, lifeCallbacks: nodeLifeCallbacks };
}

/** @throws ToolError CODEX_JS_BENCH_NOT_BUILT (usage) */
function findRunner(root: string, file: string): string {
  const path = resolve(root, file);
  if (existsSync(path)) return path;
  throw new ToolError({
    code: "CODEX_JS_BENCH_NOT_BUILT",
    message: `no mod runner is at ${path}`,
    hint: "npx --yes pnpm build, on a machine with Rust; or --runner FILE",
    exitCode: exitCodes.usage,
  });
}

async function copyProgram(file: string, dir: string): Promise<string> {
  const copy = join(dir, basename(file));
  await copyFile(file, copy);
  return copy;
}
