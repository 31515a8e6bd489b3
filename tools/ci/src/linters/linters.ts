import { access } from "node:fs/promises";
import { join } from "node:path";
import { pickMachineEnv, pickUserEnv, runProcess } from "@codex-js/cli-kit";
import pins from "./linters.json" with { type: "json" };

/** A linter of the workflows: where it comes from, and how it is run over the whole repository. */
export interface Linter {
  name: "actionlint" | "zizmor";
  version: string;
  /** Programs that bring it, each with its arguments; the first one that is there is used. */
  install(dir: string): { file: string; args: string[]; env?: NodeJS.ProcessEnv }[][];
  args: string[];
}

const executable = (dir: string, name: string, platform: NodeJS.Platform) =>
  platform === "win32" ? join(dir, "Scripts", `${name}.exe`) : join(dir, "bin", name);

export const linters: readonly Linter[] = [
  {
    name: "actionlint",
    version: pins.actionlint,
    install: (dir) => [
      [
        {
          file: "go",
          args: ["install", `github.com/rhysd/actionlint/cmd/actionlint@v${pins.actionlint}`],
          env: { GOBIN: join(dir, process.platform === "win32" ? "Scripts" : "bin") },
        },
      ],
    ],
    // shellcheck and pyflakes would be run where a machine happens to have them.
    args: ["-no-color", "-shellcheck=", "-pyflakes="],
  },
  {
    name: "zizmor",
    version: pins.zizmor,
    install: (dir) =>
      ["python3", "python"].map((python) => [
        { file: python, args: ["-m", "venv", dir] },
        {
          file: executable(dir, "python", process.platform),
          args: ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `zizmor==${pins.zizmor}`],
        },
      ]),
    // Its questions to GitHub need a token, and depend on the day.
    args: ["--offline", "--persona=pedantic", "--color=never", "--quiet", "."],
  },
];

/** Where each linter lies, by its version; below node_modules, so that nobody has to ignore it. */
function linterDir(root: string, { name, version }: Linter): string {
  return join(root, "node_modules", ".cache", "codex-js-linters", `${name}-${version}`);
}

/** Absolute; undefined where it has not been installed. */
export async function findLinter(root: string, linter: Linter): Promise<string | undefined> {
  const file = executable(linterDir(root, linter), linter.name, process.platform);
  return access(file).then(
    () => file,
    () => undefined,
  );
}

export interface LintOptions {
  root: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/**
 * Installs a linter from its registry, as the machine is configured, unless it is there.
 * @returns undefined, or in one line why it is not to be had
 */
export async function installLinter(
  linter: Linter,
  { root, env, signal }: LintOptions,
): Promise<string | undefined> {
  if ((await findLinter(root, linter)) !== undefined) return undefined;
  const toolEnv = Object.entries(env).filter(([name]) => /^(GO|PIP_|PYTHON)/i.test(name));
  const faults: string[] = [];
  for (const way of linter.install(linterDir(root, linter))) {
    try {
      for (const { file, args, env: own } of way) {
        await runProcess(file, args, {
          cwd: root,
          env: { ...pickUserEnv(env), ...Object.fromEntries(toolEnv), ...own },
          signal,
        });
      }
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      faults.push((error as Error).message.split("\n", 1)[0]!);
    }
  }
  return faults.join("; ");
}

/** What it found, empty for nothing. */
export async function runLinter(
  file: string,
  { args }: Linter,
  { root, env, signal }: LintOptions,
): Promise<string> {
  const { exitCode, stdout, stderr } = await runProcess(file, args, {
    cwd: root,
    // No token: what it says must not depend on who runs it.
    env: pickMachineEnv(env),
    signal,
    okExitCodes: "any",
  });
  const output = `${stdout}${stderr}`.trim();
  if (exitCode === 0) return "";
  return output === "" ? `exit code ${exitCode}` : output;
}
