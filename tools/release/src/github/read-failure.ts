import { exitCodes } from "@codex-js/cli-kit";
import { GithubError, type GithubErrorOptions } from "./github-error.ts";

/** What Octokit throws, as far as it is looked at. */
interface RequestFailure {
  status: number;
  message: string;
  request: { method: string; url: string };
  response?: { headers: Record<string, string | undefined>; data: unknown };
}

const resume = "nothing is lost: the same command goes on where this one stopped";

/** What an answer other than the wanted one means; `what` was to be done. Anything else is returned as it is. */
export function readFailure(what: string, error: unknown): unknown {
  return isRequestFailure(error) ? new GithubError({ cause: error, ...explain(what, error) }) : error;
}

/** True for the answer to a look-up of something that is not there. */
export function isNotFound(error: unknown): boolean {
  return isRequestFailure(error) && error.status === 404;
}

function isRequestFailure(error: unknown): error is RequestFailure {
  return error instanceof Error && "status" in error && "request" in error;
}

function explain(what: string, failure: RequestFailure): GithubErrorOptions {
  const { status, response, request } = failure;
  const at = `${request.method} ${request.url}`;
  // A read has been repeated by Octokit already.
  const passing = request.method !== "GET";
  if (response === undefined) {
    return {
      condition: "UNREACHABLE",
      message: `GitHub could not be reached to ${what} (${at})`,
      hint: `${resume}; see that ${new URL(request.url).host} can be reached from here`,
      exitCode: exitCodes.external,
      passing,
    };
  }
  if (isRateLimited(failure)) return explainRateLimit(what, failure);
  if (status === 401) {
    return {
      condition: "BAD_TOKEN",
      message: `GitHub does not accept the token: ${what} was answered with 401 (${at})`,
      hint: "give a token that has not expired, in GITHUB_TOKEN",
      exitCode: exitCodes.usage,
    };
  }
  if (status === 403) {
    return {
      condition: "READ_ONLY",
      message: `the token may not ${what}: ${failure.message} (${at})`,
      hint: "the token needs the repository permission contents: write, and pull-requests: write for comments",
      exitCode: exitCodes.usage,
    };
  }
  if (status === 404) {
    return {
      condition: "NO_ACCESS",
      message: `${at} was answered with 404: it is not there, or the token may not see it (to ${what})`,
      hint: "check the repository's name and that the token is for it; GitHub answers 404 to a token without access",
      exitCode: exitCodes.usage,
    };
  }
  if (status >= 500) {
    return {
      condition: "OUTAGE",
      message: `GitHub answered ${status} to ${what} (${at})`,
      hint: `${resume}; https://www.githubstatus.com says when GitHub is well`,
      exitCode: exitCodes.external,
      passing,
    };
  }
  return explainRefusal(what, failure);
}

function explainRefusal(what: string, failure: RequestFailure): GithubErrorOptions {
  const { message, status, request } = failure;
  if (/rule violations|creations being restricted/i.test(message)) {
    return {
      condition: "TAG_PROTECTED",
      message: `a rule of the repository forbids this token to ${what}: ${oneLine(message)}`,
      hint: "let the releasing app or user bypass the tag ruleset (Settings → Rules), then run the same command again",
      exitCode: exitCodes.usage,
    };
  }
  if (/immutable/i.test(message)) {
    return {
      condition: "IMMUTABLE",
      message: `GitHub refused to ${what}, its release is immutable: ${oneLine(message)}`,
      hint: "an immutable release cannot be mended, and its tag not be used again: release the next version",
      exitCode: exitCodes.checkFailed,
    };
  }
  if (/object does not exist/i.test(message)) {
    return {
      condition: "COMMIT_UNKNOWN",
      message: `GitHub could not ${what}: it does not know the commit`,
      hint: "push the commit, then run the same command again",
      exitCode: exitCodes.usage,
    };
  }
  return {
    condition: "REFUSED",
    message: `GitHub refused to ${what} with ${status}: ${oneLine(message)} (${request.method} ${request.url})`,
    hint: resume,
    exitCode: exitCodes.external,
    // Something of an earlier attempt that GitHub does not show yet.
    passing: /already[_ ]exists/i.test(message),
  };
}

function isRateLimited({ status, message, response }: RequestFailure): boolean {
  if (status !== 403 && status !== 429) return false;
  return status === 429 || response?.headers["x-ratelimit-remaining"] === "0" || /rate limit/i.test(message);
}

function explainRateLimit(what: string, { response }: RequestFailure): GithubErrorOptions {
  const { "x-ratelimit-reset": reset, "retry-after": retryAfter } = response?.headers ?? {};
  const until =
    retryAfter !== undefined
      ? `for ${retryAfter} s`
      : reset !== undefined
        ? `until ${new Date(Number(reset) * 1000).toISOString()}`
        : undefined;
  return {
    condition: "RATE_LIMITED",
    message: `GitHub limits the rate of requests${until === undefined ? "" : ` ${until}`}: it would not ${what}`,
    hint: `${resume}; ${until === undefined ? "wait a few minutes: it does not say how long" : "wait until then"}`,
    exitCode: exitCodes.external,
  };
}

function oneLine(message: string): string {
  return message
    .replace(/ - https:\/\/docs\S*/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
