import { createModHost, type Mod, ModError } from "../index.ts";
import { createAuthorOptions } from "./author-host.ts";
import { findCommandHint } from "./command-hint.ts";
import type { CheckCommand } from "./command-line.ts";
import { type TypeCheck, typeCheck } from "./type-check.ts";

/** Something that is wrong with a mod. */
export interface ModProblem {
  /** TypeScript's (`TS2322`), or a code of ModError. */
  code: string;
  message: string;
  /** Within the mod; undefined for one that belongs to no file. */
  file?: string;
  line?: number;
  column?: number;
  /** The lines around it. */
  codeFrame?: string;
  hint?: string;
}

export interface CheckResult {
  mod: string;
  digest: string;
  /** Names of the hooks. */
  hooks: string[];
  /** Version of TypeScript that checked the types; undefined where there is none that can, which is a problem. */
  typescript: string | undefined;
  problems: ModProblem[];
}

/** 2: not the mod, but what it is checked with is at fault. */
export function findCheckExitCode({ typescript, problems }: CheckResult): 0 | 1 | 2 {
  if (typescript === undefined) return 2;
  return problems.length === 0 ? 0 : 1;
}

interface CheckModOptions extends CheckCommand {
  signal: AbortSignal;
}

/**
 * Checks the manifest and the files, then the types, then whether the runner takes the modules.
 * @throws ModError where the mod cannot be read, or there is no runner
 */
export async function checkMod(options: CheckModOptions): Promise<CheckResult> {
  await using host = createModHost(createAuthorOptions(options));
  const mod = await host.load(options.folder);
  const types = await checkTypes(mod, options.signal);
  const problems = [...types.problems, ...(await evaluateModules(mod, types, options.signal))];
  const { name, version, digest, hooks } = mod;
  return { mod: `${name} ${version}`, digest, hooks: [...hooks.keys()], typescript: types.version, problems };
}

/** Without a compiler there is still what the runner says. */
async function checkTypes(
  mod: Mod,
  signal: AbortSignal,
): Promise<Pick<TypeCheck, "problems"> & Partial<TypeCheck>> {
  try {
    return await typeCheck(mod, signal);
  } catch (error) {
    if (!(error instanceof ModError) || error.code !== "invalid_argument") throw error;
    return { problems: [describeProblem(error, mod.folder!)] };
  }
}

/** Each module that has a hook is loaded as the runner will load it. */
async function evaluateModules(
  mod: Mod,
  types: Pick<TypeCheck, "problems">,
  signal: AbortSignal,
): Promise<ModProblem[]> {
  const hookOfModule = new Map([...mod.hooks].map(([hook, { module }]) => [module, hook]));
  const problems: ModProblem[] = [];
  for (const hook of hookOfModule.values()) {
    try {
      await (await mod.serve({ hooks: [hook], signal })).close();
    } catch (error) {
      if (!(error instanceof ModError) || !isModsFault(error)) throw error;
      problems.push(describeProblem(error, mod.folder!));
    }
  }
  return problems.filter((problem) => !types.problems.some((other) => isSamePlace(problem, other)));
}

function isModsFault({ code }: ModError): boolean {
  return code.startsWith("mod_") && code !== "mod_cancelled";
}

/** The compiler sees most of what the runner would not take, and says more about it. */
function isSamePlace(left: ModProblem, right: ModProblem): boolean {
  return left.file !== undefined && left.file === right.file && left.line === right.line;
}

function describeProblem(error: ModError, folder: string): ModProblem {
  const { code, message, location, codeFrame, syntaxCode } = error;
  const hint = findCommandHint(error, folder);
  return {
    code: syntaxCode ?? code,
    message,
    ...(location === undefined
      ? {}
      : { file: location.module, line: location.line, column: location.column }),
    ...(codeFrame === undefined ? {} : { codeFrame }),
    ...(hint === undefined ? {} : { hint }),
  };
}
