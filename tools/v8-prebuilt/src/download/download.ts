import { setTimeout as sleep } from "node:timers/promises";
import { formatDuration } from "@codex-js/cli-kit";
import { findContentError } from "../content-errors.ts";
import type { DownloadPolicy } from "../limits.ts";
import { v8Error } from "../v8-error.ts";
import { type AttemptOptions, attemptDownload, type Resumption } from "./attempt.ts";
import { AttemptFailure } from "./attempt-failure.ts";
import { describeUrl } from "./classify-error.ts";
import type { HttpClient } from "./http-client.ts";
import { PartialFile } from "./partial-file.ts";
import { computeRetryDelay } from "./retry-delay.ts";

/** What a download needs of the world. */
export interface DownloadTools {
  client: HttpClient;
  policy: DownloadPolicy;
  signal: AbortSignal;
  now: () => Date;
  /** Waits between attempts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface DownloadRequest {
  url: URL;
  authorization?: string;
  /** Undefined where nothing is known before, as of checksums. */
  sha256?: string;
  sizeBytes?: number;
  maxBytes: number;
  onProgress?: AttemptOptions["onProgress"];
  onRetry?: (retry: { failures: number; delayMs: number; reason: string }) => void;
}

/** Sleeps, until aborted. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
}

/**
 * Downloads into `path`, which must not be there yet, with the policy's attempts. What is there afterwards
 * has the digest that was asked for; after an error it is nothing to be used.
 * @throws ToolError CODEX_JS_V8_NO_NETWORK, _NOT_FOUND, _HTTP_STATUS, _REDIRECT, _NOT_THE_FILE,
 * _BROKEN_DOWNLOAD, _TIMEOUT, _SIZE, _DIGEST, _CACHE; the signal's reason when it is aborted
 */
export async function download(path: string, request: DownloadRequest, tools: DownloadTools): Promise<void> {
  const { totalTimeoutMs } = tools.policy;
  const deadline = AbortSignal.timeout(totalTimeoutMs);
  await using file = await PartialFile.create(path);
  try {
    await attemptUntilDone(file, request, { ...tools, signal: AbortSignal.any([tools.signal, deadline]) });
  } catch (error) {
    tools.signal.throwIfAborted();
    if (!deadline.aborted) throw error;
    const took = formatDuration(totalTimeoutMs);
    throw v8Error("CODEX_JS_V8_TIMEOUT", `${describeUrl(request.url)} has not arrived within ${took}`, {
      hint: "run the same command again where the network is faster, or name a mirror",
    });
  }
}

async function attemptUntilDone(
  file: PartialFile,
  request: DownloadRequest,
  tools: DownloadTools,
): Promise<void> {
  const { policy, signal, wait } = tools;
  const resumption: Resumption = { acceptsRanges: false, validator: undefined };
  let wasReached = false;
  for (let failures = 1; ; failures++) {
    try {
      const attempt = { onProgress: () => {}, ...request, ...tools, file };
      const { isRest } = await attemptDownload(attempt, resumption);
      return await verify(file, request, isRest);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AttemptFailure)) throw error;
      // Who has been reached once will be there again.
      wasReached ||= error.kind !== "unreachable";
      const kind = wasReached && error.kind === "unreachable" ? "broken" : error.kind;
      if (failures >= policy.maxAttempts[kind]) throw error.error;
      const delayMs = computeRetryDelay(failures, policy, error.retryAfterMs);
      request.onRetry?.({ failures, delayMs, reason: error.message });
      await wait(delayMs, signal);
    }
  }
}

/** A whole answer with other bytes will not change; a file that was put together from several may. */
async function verify(file: PartialFile, request: DownloadRequest, isPatched: boolean): Promise<void> {
  const { sha256, sizeBytes, url } = request;
  const received = { sha256: await file.finish(), sizeBytes: file.sizeBytes };
  const error =
    sha256 === undefined ? undefined : findContentError(describeUrl(url), { sha256, sizeBytes }, received);
  if (error === undefined) return;
  if (!isPatched) throw error;
  await file.restart();
  throw new AttemptFailure("broken", error);
}
