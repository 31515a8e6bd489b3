import { error } from "./answers.ts";
import type { Answer, World } from "./call.ts";

const hourS = 3600;

/** Counts one request; an answer when it is one too many. */
export function countRequest({ rateLimit, now }: World): Answer | undefined {
  const nowS = Math.floor(now().getTime() / 1000);
  if (nowS >= rateLimit.resetAt) Object.assign(rateLimit, { used: 0, resetAt: nowS + hourS });
  rateLimit.used += 1;
  return rateLimit.used > rateLimit.limit ? error(403, "API rate limit exceeded for user ID 1.") : undefined;
}

export function rateLimitHeaders({ rateLimit: { limit, used, resetAt } }: World): Record<string, string> {
  return {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(Math.max(0, limit - used)),
    "x-ratelimit-used": String(Math.min(limit, used)),
    "x-ratelimit-reset": String(resetAt),
    "x-ratelimit-resource": "core",
  };
}
