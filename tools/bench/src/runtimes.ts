import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { exitCodes, runProcess, ToolError } from "@codex-js/cli-kit";
import { createChildEnv } from "./child-env.ts";
import { listOption, type OptionSpec, type ScenarioContext } from "./scenario.ts";

/** A runtime that is on disk. */
export interface BenchRuntime {
  /** `node24`, `bun`. */
  id: string;
  kind: "node" | "bun";
  /** Absolute. */
  executable: string;
  /** As the runtime says it, without a leading `v`. */
  version: string;
}

export const runtimesOption: OptionSpec = {
  name: "runtimes",
  kind: "list",
  description: "what to measure on: ids, or id=EXECUTABLE for one of your own (node27=/opt/node/bin/node)",
  default: ["node24", "bun"],
};

/**
 * The runtimes that `--runtimes` names, each asked for its version.
 * @throws ToolError CODEX_JS_BENCH_UNKNOWN_RUNTIME (usage), CODEX_JS_PROCESS_FAILED (external)
 */
export async function provideRuntimes(context: ScenarioContext): Promise<BenchRuntime[]> {
  const runtimes: BenchRuntime[] = [];
  for (const text of listOption(context, "runtimes")) {
    const { id, executable } = locateRuntime(text);
    const kind = id.startsWith("bun") ? "bun" : "node";
    runtimes.push({ id, kind, executable, version: await askVersion(executable, context) });
  }
  return runtimes;
}

export async function askVersion(
  executable: string,
  context: Pick<ScenarioContext, "env" | "signal" | "root">,
): Promise<string> {
  const { stdout } = await runProcess(executable, ["--version"], {
    cwd: context.root,
    env: createChildEnv(context.env),
    signal: context.signal,
  });
  return stdout.trim().replace(/^v/, "");
}

function locateRuntime(text: string): { id: string; executable: string } {
  const [id = "", path] = text.split("=", 2);
  const executable = path ?? locateInstalled(id);
  if (executable === undefined) {
    throw new ToolError({
      code: "CODEX_JS_BENCH_UNKNOWN_RUNTIME",
      message: `no runtime ${id} in the workspace`,
      hint: `use node24, bun, or ${id}=EXECUTABLE`,
      exitCode: exitCodes.usage,
    });
  }
  return { id, executable };
}

/** Node 24 and Bun come with the workspace's own install. */
function locateInstalled(id: string): string | undefined {
  if (id === "node24") return locateInPackage("node", process.platform === "win32" ? "node.exe" : "node");
  if (id === "bun") return findBun();
  return undefined;
}

/** The workspace's Bun; its install script puts it there under this name on every platform. */
export function findBun(): string | undefined {
  return locateInPackage("bun", "bun.exe");
}

const require = createRequire(import.meta.url);

function locateInPackage(name: string, file: string): string | undefined {
  try {
    const path = join(dirname(require.resolve(`${name}/package.json`)), "bin", file);
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}
