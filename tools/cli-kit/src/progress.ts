import yoctoSpinner, { type Spinner } from "yocto-spinner";
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
 * of each step elsewhere. Times come from `context.now`.
 */
export function createProgress(context: Pick<CliContext, "stderr" | "env" | "now">): Progress {
  const live = context.stderr.isTTY === true && context.env.CI === undefined && context.env.TERM !== "dumb";
  return { start: (title) => startStep(title, context, live) };
}

function startStep(title: string, context: Pick<CliContext, "stderr" | "now">, live: boolean): ProgressStep {
  const startedAt = context.now().getTime();
  const spinner: Spinner | undefined = live
    ? yoctoSpinner({ text: title, stream: process.stderr }).start()
    : undefined;
  if (spinner === undefined) context.stderr.write(`… ${title}\n`);

  const end = (mark: string, detail: string | undefined) => {
    spinner?.stop();
    const took = formatDuration(context.now().getTime() - startedAt);
    context.stderr.write(`${mark} ${title}${detail === undefined ? "" : `: ${detail}`} (${took})\n`);
  };
  return {
    update: (detail) => {
      if (spinner !== undefined) spinner.text = `${title}: ${detail}`;
    },
    succeed: (detail) => end("✓", detail),
    skip: (reason) => end("-", `skipped, ${reason}`),
    fail: (detail) => end("✗", detail),
  };
}
