import { existsSync } from "node:fs";
import { join } from "node:path";
import { type CliContext, exitCodes, resolveUserPath, ToolError } from "@codex-js/cli-kit";
import { describeMissingRunner, findBuiltRunner } from "@codex-js/platforms/built-runner";
import { findKernelProbe } from "./kernel/find-kernel-probe.ts";

const repositoryDir = join(import.meta.dirname, "../../..");

/**
 * The runner that `--runner` names, else the one that the tests and the benchmark take.
 * @throws ToolError CODEX_JS_PROBES_NOT_BUILT (usage)
 */
export function findProgram(
  flag: string | undefined,
  { cwd, env }: Pick<CliContext, "cwd" | "env">,
  root: string = repositoryDir,
): string {
  if (flag !== undefined) {
    const path = resolveUserPath(cwd, "--runner", flag);
    if (existsSync(path)) return path;
    throw notBuilt(`there is no mod runner at ${path}`, "give --runner the path of one, or leave it out");
  }
  const built = findBuiltRunner(root, env);
  if (built.program !== undefined) return built.program;
  throw notBuilt(
    describeMissingRunner(built),
    "pnpm build, where V8 and Rust are to be had; or name one: --runner FILE, CODEX_JS_MOD_RUNNER_PATH",
  );
}

/** @throws ToolError CODEX_JS_PROBES_NOT_BUILT (usage) */
export function requireKernelProbe(): string {
  const program = findKernelProbe();
  if (program !== undefined) return program;
  // Without V8: it is linked with the sandbox alone.
  throw notBuilt(
    "there is no kernel-probe in packages/mod-runner/native/target/release",
    "cargo build --release --locked --package codex-js-sandbox in packages/mod-runner/native",
  );
}

function notBuilt(message: string, hint: string): ToolError {
  return new ToolError({ code: "CODEX_JS_PROBES_NOT_BUILT", message, hint, exitCode: exitCodes.usage });
}
