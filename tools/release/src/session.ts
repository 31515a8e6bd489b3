import { type CliContext, createProgress, type Progress, type ProgressStep } from "@codex-js/cli-kit";
import { explainFailure } from "./explain-failure.ts";
import type { ReleaseLayout } from "./layout.ts";
import { mendRemedy } from "./remedy.ts";
import type { StepResult } from "./report/report.ts";

/** What the steps of one run share. */
export interface ReleaseSession {
  context: CliContext;
  layout: ReleaseLayout;
  progress: Progress;
  /** Grows with each step. */
  steps: StepResult[];
  /** All the steps, one after the other; a remedy is then the whole command again. */
  whole: boolean;
  /** A line among the progress: a wait, a repeat. */
  log: (line: string) => void;
}

export function createSession(context: CliContext, layout: ReleaseLayout, whole: boolean): ReleaseSession {
  return {
    context,
    layout,
    progress: createProgress(context),
    steps: [],
    whole,
    log: (line) => void context.stderr.write(`  ${line}\n`),
  };
}

/** What a step hands back: its value, and the few words that stand behind its tick. */
export interface StepOutcome<Value> {
  value: Value;
  detail: string;
}

/** Runs one step: shows it, times it, explains its failure. */
export async function runStep<Value>(
  session: ReleaseSession,
  name: string,
  title: string,
  work: (step: ProgressStep) => Promise<StepOutcome<Value>>,
): Promise<Value> {
  const { context, layout, progress, steps } = session;
  context.signal.throwIfAborted();
  const startedAt = context.now().getTime();
  const record = (status: StepResult["status"]) =>
    steps.push({ name, status, durationMs: context.now().getTime() - startedAt });
  const step = progress.start(title);
  try {
    const { value, detail } = await work(step);
    record("passed");
    step.succeed(detail);
    return value;
  } catch (error) {
    record("failed");
    step.fail();
    // A child that was stopped together with us reports its own death; the signal is the reason.
    context.signal.throwIfAborted();
    throw mendRemedy(await explainFailure(error, layout.outDir), layout.outDir, session.whole);
  }
}
