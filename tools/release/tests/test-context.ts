import { type CliContext, createProcessContext } from "@codex-js/cli-kit";

/** The real world with its output caught. */
export function createTestContext(
  signal: AbortSignal = new AbortController().signal,
): CliContext & { out: string[]; err: string[] } {
  const out: string[] = [];
  const err: string[] = [];
  return {
    ...createProcessContext(signal),
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
    out,
    err,
  };
}
