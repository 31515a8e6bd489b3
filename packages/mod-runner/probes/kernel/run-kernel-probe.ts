import { startProcess } from "../../src/runner/start-process.ts";

/** A line of kernel-probe's. */
export interface KernelAttempt {
  probe: string;
  /** `denied` where the call failed, `killed` where the filter ended the process, else what happened. */
  outcome: string;
  /** With `denied`: the process went on and worked. */
  healthy?: boolean;
  signal?: number;
}

/** Linux's SIGSYS: what the filter kills with, and nothing else does. */
const filterSignal = 31;

/** Tries everything, each in a process of its own: inside the runner's sandbox, or with `--baseline` outside. */
export async function runKernelProbe(
  program: string,
  args: readonly string[] = [],
): Promise<Map<string, KernelAttempt>> {
  const child = startProcess(program, args, { env: {}, cwd: "/", detached: true });
  child.stdin.end();
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
  if (output === "") throw new Error(`${program} printed nothing: ${errors}`);
  const lines: KernelAttempt[] = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return new Map(lines.map((line) => [line.probe, line]));
}

/** Denied to a process that goes on, or killed by the filter and by nothing else. */
export function isHeld(attempt: KernelAttempt | undefined): boolean {
  if (attempt?.outcome === "denied") return attempt.healthy === true;
  return attempt?.outcome === "killed" && attempt.signal === filterSignal;
}
