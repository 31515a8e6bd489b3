import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Mod, ModError } from "../index.ts";
import { startProcess } from "../runner/start-process.ts";
import { adviseGlobal, adviseImport, readSpecifier } from "./advice.ts";
import type { ModProblem } from "./check-mod.ts";
import { compilerOptions } from "./compiler-options.ts";
import { findTypeScript } from "./find-typescript.ts";

export interface TypeCheck {
  /** The compiler's. */
  version: string;
  problems: ModProblem[];
}

/** What is published beside this file. */
const [modTypes, realmTypes] = ["./mod.d.ts", "./realm.d.ts"].map((file) =>
  fileURLToPath(new URL(file, import.meta.url)),
) as [string, string];
const hooksFile = "hooks.ts";

/**
 * Checks a mod's types against those that are published: each hook has to be a function that a host can call.
 * @throws ModError invalid_argument where there is no TypeScript
 */
export async function typeCheck(mod: Mod, signal: AbortSignal): Promise<TypeCheck> {
  const folder = mod.folder!;
  const { version, tsc } = findTypeScript([folder, process.cwd()]);
  const dir = await realpath(await mkdtemp(join(tmpdir(), "codex-js-mod-")));
  try {
    await writeFile(join(dir, hooksFile), formatHooks(mod, folder));
    await writeFile(join(dir, "tsconfig.json"), JSON.stringify(createConfig()));
    const args = [tsc, "-p", dir, "--pretty", "false"];
    const output = await runCompiler(args, folder, signal);
    const problems = parseOutput(output).map((problem) =>
      isOfHooksFile(problem, relative(folder, dir))
        ? explainHook(problem, mod)
        : adviseProblem(problem, folder),
    );
    return { version, problems };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** A line for each hook, which does not compile where the hook is not there or is no function of that kind. */
function formatHooks(mod: Mod, folder: string): string {
  const lines = [...mod.hooks.values()].map(({ module, export: name }, index) => {
    const from = JSON.stringify(join(folder, module));
    const imported = name === "default" ? `hook${index}` : `{ ${name} as hook${index} }`;
    return `import ${imported} from ${from}; export const is${index}: Hook<any> = hook${index};`;
  });
  return [...lines, 'import type { Hook } from "@codex-js/mod-runner/mod";\n'].join("\n");
}

function createConfig(): object {
  return {
    compilerOptions: {
      ...compilerOptions,
      types: [],
      allowJs: true,
      isolatedModules: true,
      skipLibCheck: true,
      paths: { "@codex-js/mod-runner/mod": [modTypes] },
    },
    files: [hooksFile, realmTypes],
  };
}

/** @throws ModError mod_cancelled */
function runCompiler(args: readonly string[], cwd: string, signal: AbortSignal): Promise<string> {
  const child = startProcess(process.execPath, args, { env: {}, cwd, detached: false });
  const chunks: Buffer[] = [];
  child.stdin.on("error", () => {}).end();
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  const stop = () => void child.kill("SIGKILL");
  signal.addEventListener("abort", stop);
  return new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => {
      signal.removeEventListener("abort", stop);
      const output = Buffer.concat(chunks).toString("utf8");
      if (signal.aborted) reject(new ModError("mod_cancelled", String(signal.reason)));
      else if (exitCode === 0 || /error TS\d+:/.test(output)) resolve(output);
      else reject(new Error(`the TypeScript compiler failed with code ${exitCode}: ${output}`));
    });
  });
}

/** `main.ts(3,5): error TS2322: …`, and lines that go on with it. */
export function parseOutput(output: string): ModProblem[] {
  const problems: ModProblem[] = [];
  for (const line of output.split("\n")) {
    const [, file, at, column, code, message] =
      line.match(/^(?:(.+)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/) ?? [];
    const last = problems.at(-1);
    if (code !== undefined && message !== undefined) {
      const place = file === undefined ? {} : { file, line: Number(at), column: Number(column) };
      problems.push({ code, message, ...place });
    } else if (last !== undefined && /^\s+\S/.test(line)) {
      last.message += `\n${line}`;
    }
  }
  return problems;
}

function isOfHooksFile({ file, line }: ModProblem, dir: string): boolean {
  return file !== undefined && line !== undefined && file.endsWith(`${dir}/${hooksFile}`);
}

/** The file of our own stands for the manifest: its lines are the hooks. */
function explainHook({ line = 0, code, message }: ModProblem, mod: Mod): ModProblem {
  const hook = [...mod.hooks.keys()][line - 1];
  return { code, message: `hook ${hook}: ${message}`, file: "mod.json" };
}

/**
 * To the compiler what a mod cannot have is what the author has not installed yet: its advice would not help, and
 * another takes its place.
 */
export function adviseProblem(problem: ModProblem, folder: string): ModProblem {
  const { file, line, column } = problem;
  const message = problem.message.replace(/\s+(?:Do you need to|Try `).*$/s, "");
  const isTaken = message !== problem.message;
  if (!isTaken && !/^Cannot find (?:name|module) /.test(message)) return problem;
  const place = { module: file ?? "", line: line ?? 0, column: column ?? 0 };
  const specifier = readSpecifier(folder, place);
  const hint =
    specifier === undefined
      ? adviseGlobal(message.match(/'([^']+)'/)?.[1] ?? "")
      : adviseImport(specifier, folder, place.module);
  const advice =
    hint ?? (isTaken ? "@codex-js/mod-runner/realm declares the globals that there are" : undefined);
  return { ...problem, message, ...(advice === undefined ? {} : { hint: advice }) };
}
