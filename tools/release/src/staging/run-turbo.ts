import { join } from "node:path";
import { type CliContext, runNode } from "@codex-js/cli-kit";
import { describeNativeInputs, pickRustEnv } from "@codex-js/v8-prebuilt";
import { createChildEnv } from "../child-env.ts";
import { type FailedTask, parseFailedTasks } from "./parse-turbo-output.ts";

export interface TurboOptions {
  context: CliContext;
  /** Absolute; holds turbo in its node_modules. */
  stagingDir: string;
  /** Absolute; the working tree's cache, so that what is built there is not built again. */
  cacheDir: string;
  onLine?: (line: string) => void;
}

export interface TurboRun {
  ok: boolean;
  failed: FailedTask[];
  /** The last lines, for a turbo that failed without a failed task. */
  tail: string;
  /** `3 cached, 5 total`. */
  summary: string;
}

const tailLines = 15;
const shownLines = 15;

/** Runs turbo tasks in the staging copy; a failed task is a result, a turbo that cannot run is an error. */
export async function runTurbo(tasks: readonly string[], options: TurboOptions): Promise<TurboRun> {
  const { context, stagingDir, cacheDir, onLine } = options;
  const turbo = join(stagingDir, "node_modules", "turbo", "bin", "turbo");
  const args = ["run", ...tasks, `--cache-dir=${cacheDir}`, "--output-logs=errors-only", "--no-color"];
  const result = await runNode(
    turbo,
    [...args, "--log-order=grouped", "--continue=dependencies-successful"],
    {
      cwd: stagingDir,
      // Tasks that fail are reported by the release; nobody else has to hear of it.
      env: createChildEnv(context.env, {
        TURBO_TELEMETRY_DISABLED: "1",
        TURBO_NO_UPDATE_NOTIFIER: "1",
        ...(await describeNative(options)),
      }),
      signal: context.signal,
      okExitCodes: "any",
      ...(onLine === undefined ? {} : { onLine }),
    },
  );
  const output = `${result.stdout}\n${result.stderr}`;
  return {
    ok: result.exitCode === 0,
    failed: parseFailedTasks(output),
    tail: output.trim().split("\n").slice(-tailLines).join("\n"),
    summary: /^\s*Cached:\s+(.+)$/m.exec(output)?.[1] ?? "",
  };
}

/** What turbo's native tasks are keyed by, and what they find V8 and Rust with. */
async function describeNative({ context, stagingDir, onLine }: TurboOptions): Promise<NodeJS.ProcessEnv> {
  const crateDir = join(stagingDir, "packages", "mod-runner", "native");
  const native = await describeNativeInputs({ context, crateDir });
  if (native.skipped !== undefined) onLine?.(native.skipped);
  const passed = Object.entries(pickRustEnv(context.env)).filter(([name]) => name !== "PATH");
  const own = Object.entries(context.env).filter(([name]) => /^CODEX_JS_(CACHE$|V8_)/.test(name));
  return { ...Object.fromEntries([...passed, ...own]), ...native.env };
}

/** What a task printed, as far as an error message has room for it. */
export function shortenLines({ lines }: FailedTask): string {
  const left = lines.length - shownLines;
  const shown = left > 0 ? [...lines.slice(0, shownLines), `… and ${left} more lines`] : lines;
  return shown.join("\n");
}

/** The remedy that one of our own commands printed, which is nearer to the fault than anything said here. */
export function findHint({ lines }: FailedTask): string | undefined {
  return lines.flatMap((line) => /^\s*fix: (.+)$/.exec(line)?.[1] ?? []).at(0);
}
