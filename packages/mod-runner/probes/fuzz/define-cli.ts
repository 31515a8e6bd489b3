import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type CliContext,
  Command,
  createProgress,
  exitCodes,
  pickUserEnv,
  runProcess,
  ToolError,
} from "@codex-js/cli-kit";

/** As Cargo.toml names them. */
const targets = ["line_protocol", "module_graph", "erase_types"];
const fuzzDir = join(import.meta.dirname, "../../native/fuzz");
/** Above what the sanitizer needs for a parser's deep stack. */
const memoryMib = 4096;

interface Options {
  seconds: string;
  target?: string;
}

/** Runs the fuzz targets, one after the other, from their seeds and what earlier runs have found. */
export function defineCli(context: CliContext): Command {
  return new Command("fuzz")
    .description("Fuzzes the line protocol, the module graph and the type eraser (nightly Rust, cargo-fuzz)")
    .option("--seconds <n>", "for each target", "30")
    .option("--target <name>", `one of ${targets.join(", ")}`)
    .action((options: Options) => run(options, context));
}

async function run({ seconds, target }: Options, context: CliContext): Promise<void> {
  const wanted = target === undefined ? targets : targets.filter((name) => name === target);
  if (!/^[1-9][0-9]*$/.test(seconds) || wanted.length === 0) throw usage(seconds, target);
  const env = pickRustEnv(context.env);
  await checkTools(env, context);
  for (const name of wanted) await fuzz(name, seconds, env, context);
}

/** Where cargo and rustup find what their user has, and nothing of a package script. */
function pickRustEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const rust = Object.entries(env).filter(([name]) => /^(CARGO|RUSTUP)_HOME$/.test(name));
  return { ...pickUserEnv(env), ...Object.fromEntries(rust) };
}

/** @throws ToolError CODEX_JS_FUZZ_NO_TOOLS (usage) */
async function checkTools(env: NodeJS.ProcessEnv, { signal }: CliContext): Promise<void> {
  try {
    await runProcess("cargo", ["+nightly", "fuzz", "--version"], { cwd: fuzzDir, env, signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw new ToolError({
      code: "CODEX_JS_FUZZ_NO_TOOLS",
      message: "there is no nightly Rust with cargo-fuzz on this machine",
      hint: "rustup toolchain install nightly && cargo install --locked cargo-fuzz",
      exitCode: exitCodes.usage,
      cause,
    });
  }
}

/** @throws ToolError CODEX_JS_PROCESS_FAILED (external) with the end of libFuzzer's report */
async function fuzz(
  name: string,
  seconds: string,
  env: NodeJS.ProcessEnv,
  context: CliContext,
): Promise<void> {
  const corpus = join(fuzzDir, "corpus", name);
  await mkdir(corpus, { recursive: true });
  const step = createProgress(context).start(name);
  let last = "";
  const fuzzer = [`-max_total_time=${seconds}`, `-rss_limit_mb=${memoryMib}`];
  const args = [
    "+nightly",
    "fuzz",
    "run",
    "-O",
    "--fuzz-dir",
    fuzzDir,
    name,
    corpus,
    join(fuzzDir, "seeds", name),
  ];
  try {
    await runProcess("cargo", [...args, "--", ...fuzzer], {
      cwd: fuzzDir,
      env,
      signal: context.signal,
      onLine: (line) => {
        if (/^(Done|#\d+)/.test(line)) last = line;
        step.update(line);
      },
    });
  } catch (error) {
    step.fail();
    throw error;
  }
  step.succeed();
  context.stdout.write(`${name}: ${last}\n`);
}

function usage(seconds: string, target: string | undefined): ToolError {
  return new ToolError({
    code: "CODEX_JS_FUZZ_USAGE",
    message: `--seconds ${seconds}${target === undefined ? "" : ` --target ${target}`} cannot be done`,
    hint: `seconds are a whole number above 0; targets are ${targets.join(", ")}`,
    exitCode: exitCodes.usage,
  });
}
