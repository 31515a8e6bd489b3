import { type CliContext, pickUserEnv, runProcess, withoutScriptPath } from "@codex-js/cli-kit";
import { v8Error } from "../v8-error.ts";

export interface RustToolchain {
  /** As each says itself: `cargo 1.95.0 (…)`, without its line feed. */
  cargo: string;
  rustc: string;
}

/** A proxy of rustup's may want to download a toolchain first. */
const timeoutMs = 120_000;

/**
 * Asks cargo and rustc for their versions, as a build in `cwd` would find them.
 * @throws ToolError CODEX_JS_V8_NO_RUST
 */
export async function findRustToolchain(
  context: Pick<CliContext, "cwd" | "env" | "signal">,
): Promise<RustToolchain> {
  return { cargo: await askVersion("cargo", context), rustc: await askVersion("rustc", context) };
}

/**
 * The environment of a Rust tool: the user's, where his toolchains are, and nothing of the npm or pnpm that
 * started this process.
 */
export function pickRustEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const rust = Object.entries(env).filter(([name]) => /^(CARGO|RUSTUP|RUSTC|RUST|RUSTFLAGS)(_|$)/.test(name));
  return withoutScriptPath({ ...pickUserEnv(env), ...Object.fromEntries(rust) });
}

async function askVersion(
  program: string,
  { cwd, env, signal }: Pick<CliContext, "cwd" | "env" | "signal">,
): Promise<string> {
  try {
    const { stdout } = await runProcess(program, ["--version"], {
      cwd,
      env: pickRustEnv(env),
      signal,
      timeoutMs,
    });
    return stdout.trim();
  } catch (cause) {
    signal.throwIfAborted();
    throw v8Error("CODEX_JS_V8_NO_RUST", `there is no Rust toolchain: ${program} --version fails`, {
      hint: "install one, see https://rustup.rs",
      cause,
    });
  }
}
