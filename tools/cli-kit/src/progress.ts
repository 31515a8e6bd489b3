import type { CliContext } from "./context.ts";
import { formatDuration } from "./format.ts";

export interface ProgressStep {
  /** Replaces the detail behind the step's title; on a terminal only, plain output stays short. */
  update(detail: string): void;
  /** Ends the step with a tick; `detail` says what came out. */
  succeed(detail?: string): void;
  /** Ends the step as skipped, with the reason. */
  skip(reason: string): void;
  /** Ends the step with a cross. */
  fail(detail?: string): void;
}

export interface Progress {
  start(title: string): ProgressStep;
}

/**
 * Shows long work on stderr: a live line on a terminal, one plain line at the start and one at the end
 * of each step elsewhere. Of several steps at once the live line shows the last one started. Times come
 * from `context.now`.
 */
export function createProgress(context: Pick<CliContext, "stderr" | "env" | "now">): Progress {
  const lines = createStepLines(context);
  return { start: (title) => startStep(title, context, lines) };
}

/** Where the steps that are under way are seen. */
interface StepLines {
  start(step: RunningStep): void;
  change(step: RunningStep, detail: string): void;
  end(step: RunningStep): void;
}

interface RunningStep {
  title: string;
  detail?: string;
}

function createStepLines({ stderr, env }: Pick<CliContext, "stderr" | "env">): StepLines {
  const isLive = stderr.isTTY === true && env.CI === undefined && env.TERM !== "dumb";
  const { showLine } = stderr;
  if (!isLive || showLine === undefined) {
    return { start: ({ title }) => void stderr.write(`… ${title}\n`), change: () => {}, end: () => {} };
  }
  const running = new Set<RunningStep>();
  const refresh = () => {
    const last = [...running].at(-1);
    showLine(last && describe(last.title, last.detail));
  };
  return {
    start(step) {
      running.add(step);
      refresh();
    },
    change(step, detail) {
      step.detail = detail;
      refresh();
    },
    end(step) {
      running.delete(step);
      refresh();
    },
  };
}

function startStep(
  title: string,
  context: Pick<CliContext, "stderr" | "now">,
  lines: StepLines,
): ProgressStep {
  const startedAt = context.now().getTime();
  const step: RunningStep = { title };
  lines.start(step);
  const end = (mark: string, detail: string | undefined) => {
    lines.end(step);
    const took = formatDuration(context.now().getTime() - startedAt);
    context.stderr.write(`${mark} ${describe(title, detail)} (${took})\n`);
  };
  return {
    update: (detail) => lines.change(step, detail),
    succeed: (detail) => end("✓", detail),
    skip: (reason) => end("-", `skipped, ${reason}`),
    fail: (detail) => end("✗", detail),
  };
}

function describe(title: string, detail: string | undefined): string {
  return detail === undefined ? title : `${title}: ${detail}`;
}
