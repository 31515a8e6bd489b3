import type { LoadedMessage, ResultMessage } from "../../generated/messages.ts";
import { Callback, type CallbackOptions } from "../callback/callback.ts";
import { collectStats } from "../callback/collect-stats.ts";
import { describeEndOfRunner, describeErrorLine } from "../callback/describe-failure.ts";
import type { ModError } from "../errors.ts";
import type { ModPackage } from "../package/mod-package.ts";
import type { Lease } from "../pool/runner-pool.ts";
import type { Answer } from "../runner/exchange.ts";
import type { KillReason } from "../runner/runner-end.ts";
import type { CallbackStats } from "../stats.ts";
import type { HostServices } from "./host-services.ts";

/** What is to be run, and for whom. */
export interface RunRequest {
  pkg: ModPackage;
  hook: string;
  answerType: CallbackOptions["answerType"];
  budgetMs: number;
  signal: AbortSignal | undefined;
  granted: ReadonlySet<string>;
  /** The line to the runner, for the id that the callback has there. */
  formatLine: (id: number) => string;
}

/** The answer, or the error that it stands for, and whether the runner may go on. */
export interface RunOutcome {
  value: unknown;
  error: ModError | undefined;
  stats: CallbackStats;
  /** The runner is of no further use. */
  retire: KillReason | undefined;
  /** Serve mode: what was loaded is gone. */
  isUnloaded: boolean;
}

/**
 * Runs one callback, load or render on a runner that the caller has. Where it rejects, the runner may be in the
 * middle of something, and the caller has to end it.
 */
export async function runOnLease(
  services: HostServices,
  lease: Lease,
  request: RunRequest,
): Promise<RunOutcome> {
  const { settings, watchdog } = services;
  const callback = new Callback(lease.runner, createCallbackOptions(services, request));
  watchdog.start();
  const start = performance.now();
  const answer = await callback.run(request.formatLine(callback.id));
  const stats = collectStats(lease, callback, answer, performance.now() - start);
  const { pkg, hook, signal } = request;
  const { memoryBytes } = settings.limits;
  const context = { pkg, hook, stats, denials: callback.denials, signal, memoryBytes };
  const outcome = { stats, retire: findRetirement(answer, stats, memoryBytes) };
  switch (answer.type) {
    case "ended":
      return {
        ...outcome,
        value: undefined,
        error: describeEndOfRunner(answer.end, context),
        isUnloaded: true,
      };
    case "error": {
      const isUnloaded = answer.unloaded === true;
      return { ...outcome, value: undefined, error: describeErrorLine(answer, context), isUnloaded };
    }
    default:
      return { ...outcome, value: readValue(answer), error: undefined, isUnloaded: false };
  }
}

function createCallbackOptions({ settings, caches }: HostServices, request: RunRequest): CallbackOptions {
  const { pkg, hook, answerType, budgetMs, signal, granted } = request;
  const { operations, onEvent, onLog } = settings;
  const { name, version, digest } = pkg;
  return {
    answerType,
    mod: { name, version, digest },
    hook,
    budgetMs,
    signal,
    rules: { operations, asks: pkg.asks, granted, onEvent },
    onLog,
    onCaches: (received) => caches.add(digest, received, pkg.modules),
  };
}

function readValue(answer: ResultMessage | LoadedMessage): unknown {
  return answer.type === "result" ? answer.value : undefined;
}

/**
 * A runner that was at the end of its memory, or says that something is wrong with it, is not kept. Nor is
 * one that has found a module it cannot parse: it may be about to end (exit code 71 of PROTOCOL.md's list).
 */
function findRetirement(answer: Answer, stats: CallbackStats, memoryBytes: number): KillReason | undefined {
  if (answer.type === "ended") return "retired";
  const faulty = ["mod_out_of_memory", "mod_syntax_error", "protocol_error", "runner_internal_error"];
  const isFaulty = answer.type === "error" && faulty.includes(answer.code);
  return isFaulty || (stats.rssBytes ?? 0) > memoryBytes / 2 ? "retired" : undefined;
}
