import { exitCodes, type ToolErrorOptions } from "@codex-js/cli-kit";

/** What is known of a publish that did not end well, once the registry has been asked what it has. */
export interface PublishFailure {
  /** npm's code, such as `E409`; empty when it gave none. */
  npmCode: string;
  /** What npm said. */
  said: string;
  /** What the registry has under this very version, compared with the tarball that was to be published. */
  found: "absent" | "same" | "different";
  /** The version was there once and was taken away. */
  unpublished: boolean;
  /** The version is there and its dist-tag is another version's; default false. */
  isTagMoved?: boolean;
}

/**
 * `retry`: the same again after a pause. `wait`: the registry has it, look until it is visible. `stop`: nothing
 * but a person can mend it.
 */
type FailureAction = "retry" | "wait" | "stop";

export interface ErrorClass {
  action: FailureAction;
  matches(failure: PublishFailure): boolean;
  /** Of the error that it ends with: at once, or when no attempt has helped. */
  code: ToolErrorOptions["code"];
  exitCode: ToolErrorOptions["exitCode"];
  /** What has happened, for people. */
  meaning: string;
  /** What a person can do. */
  remedy: string;
  /** Pauses between attempts in milliseconds, where the usual ones are too short. */
  delaysMs?: readonly number[];
}

const { checkFailed, usage, external } = exitCodes;
const sameAgain = "nothing is lost: the same command goes on where this one stopped";
const newVersion =
  "a published version never changes: give the package a new one with `pnpm changeset`, or release from the commit that was published";

/**
 * Every way in which a publish fails, in the order in which they are looked for: what the registry has comes
 * before what npm said, because a registry may store a version and still answer with an error.
 */
export const errorClasses = {
  distTagMoved: {
    action: "stop",
    matches: ({ found, isTagMoved = false }) => found === "same" && isTagMoved,
    code: "CODEX_JS_RELEASE_DIST_TAG_MOVED",
    exitCode: checkFailed,
    meaning: "the version is published and does not have its dist-tag",
    // Under trusted publishing a release may publish and nothing else.
    remedy:
      "if it was moved by mistake, `npm dist-tag add` as yourself puts it back; else release from the newer commit",
  },
  sameBytes: {
    action: "wait",
    matches: ({ found }) => found === "same",
    code: "CODEX_JS_RELEASE_NOT_VISIBLE",
    exitCode: external,
    meaning: "the registry has this version already, with the same bytes",
    remedy: sameAgain,
  },
  otherBytes: {
    action: "stop",
    matches: ({ found }) => found === "different",
    code: "CODEX_JS_RELEASE_VERSION_CONFLICT",
    exitCode: checkFailed,
    meaning: "the registry has this version with other bytes",
    remedy: newVersion,
  },
  unpublished: {
    action: "stop",
    matches: ({ unpublished }) => unpublished,
    code: "CODEX_JS_RELEASE_VERSION_UNPUBLISHED",
    exitCode: checkFailed,
    meaning: "this version was published once and taken away, and a registry takes no version twice",
    remedy: "give the package a new version with `pnpm changeset`",
  },
  staged: {
    action: "wait",
    matches: ({ said }) => /cannot publish over|previously published|already (?:present|exists)/i.test(said),
    code: "CODEX_JS_RELEASE_NOT_VISIBLE",
    exitCode: external,
    meaning: "the registry has taken this version and does not show it yet",
    remedy: sameAgain,
  },
  transparencyLog: {
    action: "retry",
    // https://github.com/sigstore/sigstore-js: an entry that is there already, or a log that does not answer.
    // Each attempt signs anew, with a key of its own.
    matches: ({ npmCode, said }) => /^(TLOG|CA|TSA)_/.test(npmCode) || /\btlog entry\b/i.test(said),
    code: "CODEX_JS_RELEASE_SIGNING_FAILED",
    exitCode: external,
    meaning: "the statement of where the package comes from could not be signed and logged",
    remedy: `see https://status.sigstore.dev; ${sameAgain}`,
  },
  conflict: {
    action: "retry",
    // Two writes to one packument at a time: https://github.com/lerna/lerna/issues/4016
    matches: ({ npmCode }) => npmCode === "E409",
    code: "CODEX_JS_RELEASE_NPM_CONFLICT",
    exitCode: external,
    meaning: "the registry was writing to this package at the same time",
    remedy: sameAgain,
  },
  repository: {
    action: "stop",
    // https://github.com/npm/cli/issues/8976: provenance with an empty or another repository.url
    matches: ({ npmCode }) => npmCode === "E422",
    code: "CODEX_JS_RELEASE_REPOSITORY_FIELD",
    exitCode: usage,
    meaning: "the registry does not accept the package.json, most often its repository field",
    remedy:
      "set repository.url in the package's package.json to the address of the repository that the workflow runs in",
  },
  auth: {
    action: "stop",
    // A registry answers 404, and not 401, to a publish by somebody that it does not know.
    matches: ({ npmCode }) => /^(E401|E403|E404|ENEEDAUTH|EOTP)$/.test(npmCode),
    code: "CODEX_JS_RELEASE_NPM_AUTH",
    exitCode: usage,
    meaning: "the registry does not let this release publish (it says 404 to that as well)",
    remedy:
      "with a token, see that it may write to the package; without one, see that the package's trusted publisher on npmjs.com names this repository, workflow and environment",
  },
  rateLimit: {
    action: "retry",
    matches: ({ npmCode }) => npmCode === "E429",
    code: "CODEX_JS_RELEASE_NPM_RATE_LIMIT",
    exitCode: external,
    meaning: "the registry takes no more requests for now",
    remedy: `wait a few minutes; ${sameAgain}`,
    delaysMs: [15_000, 60_000, 120_000],
  },
  outage: {
    action: "retry",
    matches: ({ npmCode }) =>
      /^(E5\d\d|E408|ECONNRESET|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EPIPE|ERR_SOCKET_TIMEOUT|FETCH_ERROR|EIDLETIMEOUT|ERESPONSETIMEOUT|ECONNECTIONTIMEOUT)$/.test(
        npmCode,
      ),
    code: "CODEX_JS_RELEASE_NPM_OUTAGE",
    exitCode: external,
    meaning: "the registry is not well or cannot be reached",
    remedy: `see https://status.npmjs.org; ${sameAgain}`,
  },
  refused: {
    action: "stop",
    matches: () => true,
    code: "CODEX_JS_RELEASE_PUBLISH_FAILED",
    exitCode: external,
    meaning: "npm gave a reason of its own",
    remedy: `see what npm said; ${sameAgain}`,
  },
} satisfies Record<string, ErrorClass>;

export type ErrorClassName = keyof typeof errorClasses;

export function classifyFailure(failure: PublishFailure): ErrorClass {
  return Object.values<ErrorClass>(errorClasses).find((one) => one.matches(failure))!;
}
