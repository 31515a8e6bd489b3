/** The built mod runner, asked over its line protocol (packages/mod-runner/PROTOCOL.md). */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describeMissingRunner, findBuiltRunner } from "@codex-js/platforms/built-runner";

const root = join(import.meta.dirname, "../../../..");
/** The protocol's longest: RSA keys take what luck decides. */
const BUDGET_MS = 600_000;

export interface RunnerProcess {
  /** What the default export of a module without imports returns, in a fresh realm. */
  evaluate(module: string): Promise<unknown>;
  stop(): void;
}

/** @throws Error where there is none: ask {@link missingRunner} first */
export function runnerPath(env: NodeJS.ProcessEnv): string {
  const built = findBuiltRunner(root, env);
  if (built.program === undefined) throw new Error(describeMissingRunner(built));
  return built.program;
}

/** Why the tests that need the runner cannot run here; undefined when they can. Continuous integration has to. */
export function missingRunner(env: NodeJS.ProcessEnv): string | undefined {
  const built = findBuiltRunner(root, env);
  if (built.program !== undefined) return undefined;
  const message = `${describeMissingRunner(built)}: pnpm build`;
  if (env.CI === "true" && built.places.length > 0) throw new Error(message);
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
