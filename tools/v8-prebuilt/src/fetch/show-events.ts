import {
  type CliContext,
  createProgress,
  formatBytes,
  formatDuration,
  type ProgressStep,
} from "@codex-js/cli-kit";
import type { LockedAsset } from "../lock/lock-schema.ts";
import type { FetchEvent } from "./types.ts";

/** Pieces of a file come faster than anybody reads. */
const redrawMs = 100;

/** Shows on stderr what is under way; files come one after the other. */
export function createEventView(
  context: Pick<CliContext, "stderr" | "env" | "now">,
): (event: FetchEvent) => void {
  const progress = createProgress(context);
  const say = (line: string) => void context.stderr.write(`${line}\n`);
  let step: ProgressStep | undefined;
  let startedAt = 0;
  let shownAt = 0;
  return (event) => {
    switch (event.type) {
      case "start":
        startedAt = context.now().getTime();
        step = progress.start(`${describeAsset(event.asset)} from ${event.from}`);
        return;
      case "progress":
        if (context.now().getTime() - shownAt < redrawMs) return;
        shownAt = context.now().getTime();
        step?.update(describeProgress(event, shownAt - startedAt));
        return;
      case "retry":
        say(`! ${event.reason}; again in ${formatDuration(event.delayMs)}`);
        return;
      case "damaged":
        say(
          `! ${event.path} has changed (expected SHA-256 ${event.asset.sha256}, found ${event.received}); it is not used`,
        );
        return;
      case "done":
        if (event.fetched.source === "cache") say(`✓ ${describeAsset(event.asset)}: in the cache, verified`);
        else step?.succeed(`verified, ${formatBytes(event.fetched.sizeBytes)}`);
        step = undefined;
        return;
      case "failed":
        step?.fail();
        step = undefined;
    }
  };
}

function describeAsset({ target, kind }: LockedAsset): string {
  return `V8 ${kind} for ${target}`;
}

function describeProgress(
  { receivedBytes, totalBytes }: { receivedBytes: number; totalBytes: number | undefined },
  elapsedMs: number,
): string {
  const total = totalBytes === undefined ? "" : ` of ${formatBytes(totalBytes)}`;
  const rate = elapsedMs > 0 ? `, ${formatBytes(Math.round((receivedBytes * 1000) / elapsedMs))}/s` : "";
  return `${formatBytes(receivedBytes)}${total}${rate}`;
}
