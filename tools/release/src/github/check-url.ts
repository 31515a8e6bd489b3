import { exitCodes } from "@codex-js/cli-kit";
import { isSendableUrl } from "../sendable-url.ts";
import { GithubError } from "./github-error.ts";

/**
 * Without slashes at its end.
 * @throws GithubError `…_BAD_URL` (usage) for one that a token must not be sent to
 */
export function checkUrl(text: string): string {
  if (isSendableUrl(text)) return text.replace(/\/+$/, "");
  throw new GithubError({
    condition: "BAD_URL",
    message: `${text} is no URL that GitHub's token may be sent to, expected https, or http on this machine`,
    hint: "GitHub's own is https://api.github.com, an Enterprise Server's https://HOST/api/v3",
    exitCode: exitCodes.usage,
  });
}
