import { ToolError, type ToolErrorOptions } from "@codex-js/cli-kit";

/** What can be wrong with GitHub, or with what is there; each has its own message and remedy. */
export type GithubCondition =
  | "ASSET_CORRUPT"
  | "ASSET_DIFFERS"
  | "ASSET_FILE_CHANGED"
  | "ASSET_NAME"
  | "ASSET_UNPLANNED"
  | "BAD_ANSWER"
  | "BAD_TOKEN"
  | "BAD_URL"
  | "COMMIT_UNKNOWN"
  | "DRAFT_AMBIGUOUS"
  | "DRAFT_GONE"
  | "IMMUTABLE"
  | "NO_ACCESS"
  | "OUTAGE"
  | "RATE_LIMITED"
  | "READ_ONLY"
  | "REFUSED"
  | "REPOSITORY_MOVED"
  | "TAG_ELSEWHERE"
  | "TAG_MISSING"
  | "TAG_PROTECTED"
  | "UNREACHABLE";

export interface GithubErrorOptions extends Omit<ToolErrorOptions, "code"> {
  condition: GithubCondition;
  /** Another attempt may well not meet it: an outage, or something that is there and not yet shown. */
  passing?: boolean;
}

/** A ToolError with the code `CODEX_JS_RELEASE_GITHUB_<CONDITION>`. */
export class GithubError extends ToolError {
  readonly condition: GithubCondition;
  /** As {@link GithubErrorOptions.passing}. */
  readonly passing: boolean;

  constructor({ condition, passing = false, ...options }: GithubErrorOptions) {
    super({ ...options, code: `CODEX_JS_RELEASE_GITHUB_${condition}` });
    this.condition = condition;
    this.passing = passing;
  }
}
