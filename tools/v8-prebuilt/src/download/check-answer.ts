import type { DownloadPolicy } from "../limits.ts";
import { v8Error } from "../v8-error.ts";
import { AttemptFailure } from "./attempt-failure.ts";
import { describeUrl } from "./classify-error.ts";
import type { HttpAnswer } from "./http-client.ts";
import { parseRetryAfter } from "./retry-delay.ts";

const comeAgain = new Set([408, 425, 429]);
const gone = new Set([404, 410]);

/**
 * Refuses what is no answer to a request for a file: other statuses, pages, redirects that leave TLS. 416
 * passes; it is about the range.
 * @throws AttemptFailure where it is worth asking again, ToolError where it is not
 */
export function checkAnswer(answer: HttpAnswer, policy: DownloadPolicy, now: () => Date): void {
  checkRedirects([...answer.redirectedFrom, answer.url]);
  const { status } = answer;
  if (status !== 200 && status !== 206 && status !== 416) throw describeStatus(answer, policy, now);
  if (/^(text\/html|application\/xhtml)/i.test(answer.header("content-type") ?? "")) throw pageError(answer);
}

/** The beginning of a body that is a web page, whatever the server calls it. */
export function looksLikePage(head: Uint8Array): boolean {
  return /^\s*<(!doctype\s+html|html[\s>])/i.test(Buffer.from(head.subarray(0, 200)).toString("latin1"));
}

export function pageError(answer: HttpAnswer): Error {
  return notTheFile(answer, "a web page");
}

export function emptyError(answer: HttpAnswer): Error {
  return notTheFile(answer, "nothing");
}

/** @param urls every one that was asked, in order */
export function checkRedirects(urls: readonly URL[]): void {
  const downgrade = urls.findIndex(
    (url, index) => url.protocol === "http:" && urls[index - 1]?.protocol === "https:",
  );
  if (downgrade === -1) return;
  throw v8Error(
    "CODEX_JS_V8_REDIRECT",
    `${describeUrl(urls[0]!)} redirects from https to ${describeUrl(urls[downgrade]!)}`,
    { hint: "name a mirror that keeps to https" },
  );
}

function describeStatus(answer: HttpAnswer, policy: DownloadPolicy, now: () => Date): Error {
  const { status } = answer;
  const where = describeUrl(answer.url);
  if (gone.has(status)) {
    return v8Error("CODEX_JS_V8_NOT_FOUND", `${where} is not there (HTTP ${status})`, {
      hint: "check the mirror's URL: files lie below it as the lock's `path` says",
    });
  }
  const busy = comeAgain.has(status) || status >= 500;
  const retryAfterMs = busy ? parseRetryAfter(answer.header("retry-after"), now()) : undefined;
  const isTooLong = retryAfterMs !== undefined && retryAfterMs > policy.maxRetryAfterMs;
  const wait = isTooLong ? `, and wants ${Math.ceil(retryAfterMs / 1000)} s to pass` : "";
  const error = v8Error("CODEX_JS_V8_HTTP_STATUS", `${where} answers with HTTP ${status}${wait}`, {
    hint: busy ? "run the same command again later" : "check the mirror's URL and its credentials",
  });
  return busy && !isTooLong ? new AttemptFailure("busy", error, retryAfterMs) : error;
}

function notTheFile({ url, redirectedFrom }: HttpAnswer, what: string): Error {
  const [first = url] = redirectedFrom;
  const via = first === url ? "" : ` after a redirect to ${describeUrl(url)}`;
  return v8Error("CODEX_JS_V8_NOT_THE_FILE", `${describeUrl(first)} answers with ${what}${via}`, {
    hint: "a login or a proxy may stand in between; open the URL in a browser",
  });
}
