/** The built mod runner, asked over its line protocol (packages/mod-runner/PROTOCOL.md). */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { readHost, targets } from "@codex-js/platforms";

const { platform, arch } = readHost();
/** Where the build leaves them; of two C libraries only this machine's own has been built. */
const CANDIDATES = targets
  .filter(({ os, cpu, modRunner }) => os === platform && cpu === arch && modRunner !== false)
  .map(({ id }) => join(import.meta.dirname, "../../../mod-runner/platforms", id, "bin/codex-js-mod-runner"));
/** The protocol's longest: RSA keys take what luck decides. */
const BUDGET_MS = 600_000;

export interface RunnerProcess {
  /** What the default export of a module without imports returns, in a fresh realm. */
  evaluate(module: string): Promise<unknown>;
  stop(): void;
}

export function runnerPath(env: NodeJS.ProcessEnv): string {
  return env.CODEX_JS_MOD_RUNNER_PATH ?? CANDIDATES.find((path) => existsSync(path)) ?? CANDIDATES[0] ?? "";
}

/** Why the tests that need the runner cannot run here; undefined when they can. Continuous integration has to. */
export function missingRunner(env: NodeJS.ProcessEnv): string | undefined {
  const path = runnerPath(env);
  if (existsSync(path)) return undefined;
  const message = `there is no mod runner at ${path}: pnpm build`;
  if (env.CI === "true" && CANDIDATES.length > 0) throw new Error(message);
  return message;
}

export async function startRunner(program: string): Promise<RunnerProcess> {
  const child = spawn(program, [], { env: {}, stdio: ["pipe", "pipe", "inherit"] });
  const lines = readLines(child);
  await lines.next();
  let lastId = 0;
  return {
    evaluate: async (module) => {
      lastId += 1;
      child.stdin!.write(`${JSON.stringify(compose(lastId, module))}\n`);
      const { value: line } = await lines.next();
      const answer = JSON.parse(line ?? "{}") as { type?: string; value?: unknown };
      if (answer.type !== "result") {
        throw new Error(`the runner has no result: ${line}`);
      }
      return answer.value;
    },
    stop: () => {
      child.kill("SIGKILL");
    },
  };
}

function readLines(child: ChildProcess): AsyncIterator<string> {
  return createInterface({ input: child.stdout!, crlfDelay: Number.POSITIVE_INFINITY })[
    Symbol.asyncIterator
  ]();
}

/** All under one digest, since a runner serves one mod: what the digest is of is the host's business. */
function compose(id: number, module: string): object {
  return {
    type: "callback",
    id,
    mod: { name: "cases", digest: "0".repeat(64) },
    modules: { "cases.js": module },
    hook: { module: "cases.js", export: "default" },
    input: null,
    budgetMs: BUDGET_MS,
  };
}
