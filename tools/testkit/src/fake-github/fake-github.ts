import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { createFaultedTraffic, type FaultRule, type JournalEntry } from "../fault-plan/index.ts";
import type { World } from "./call.ts";
import { webPrefix } from "./downloads.ts";
import { defaultRepository, defaultToken, type FakeGithubOptions } from "./options.ts";
import { type Desk, serve, serveBroken } from "./serve.ts";
import {
  type GithubSnapshot,
  type ProposalSnapshot,
  takeProposalSnapshot,
  takeSnapshot,
} from "./snapshot.ts";
import { openStateStore } from "./state-store.ts";

export interface FakeGithub extends AsyncDisposable {
  /** The REST API, without a slash at its end. */
  readonly apiUrl: string;
  /** The host for uploads: another port. */
  readonly uploadUrl: string;
  /** A token that may write, where the options name none. */
  readonly token: string;
  readonly repository: { owner: string; name: string };
  /** Every request so far, in order. */
  readonly requests: readonly JournalEntry[];
  /** Requests and answers that are not as GitHub describes them; {@link FakeGithub.close} fails with them. */
  readonly violations: readonly string[];
  snapshot(): GithubSnapshot;
  proposals(): ProposalSnapshot;
  /** What an asset of a published or drafted release holds; undefined for none. */
  readAsset(tag: string, name: string): Buffer | undefined;
  /** Replaces the fault plan; what the old one counted is forgotten. */
  setFaults(rules: readonly FaultRule[]): void;
  /**
   * Breaks every open connection and frees the ports.
   * @throws ToolError CODEX_JS_TESTKIT_GITHUB_VIOLATED (check failed) when any exchange was not as GitHub
   * describes it
   */
  close(): Promise<void>;
}

/**
 * The part of GitHub that a release needs, on loopback: refs and tags, releases, assets, comments, commits and pull requests. Every
 * request and every answer is checked against GitHub's own OpenAPI description. Faults come between the
 * client and this check: what a fault plan answers is not checked.
 * @throws ToolError CODEX_JS_TESTKIT_BAD_FAULT_PLAN (usage), CODEX_JS_TESTKIT_PORT_UNUSABLE (external)
 */
export async function startFakeGithub(options: FakeGithubOptions = {}): Promise<FakeGithub> {
  options.signal?.throwIfAborted();
  const traffic = createFaultedTraffic(options.faults ?? [], options.onExchange);
  const desk = createDesk(options);
  const listen = (port: number, isUpload: boolean) =>
    traffic.listen(port, {
      serve: async (request) => serve(desk, request, isUpload),
      breakOff: async (request) => serveBroken(desk, request, isUpload),
    });
  try {
    desk.urls.api = await listen(options.port ?? 0, false);
    desk.urls.uploads = await listen(options.uploadPort ?? 0, true);
    desk.urls.web = `${desk.urls.api}${webPrefix}`;
  } catch (error) {
    await traffic.close();
    throw error;
  }

  let closed: Promise<void> | undefined;
  const close = () => {
    options.signal?.removeEventListener("abort", stop);
    closed ??= traffic.close().then(() => requireNoViolation(desk.violations));
    return closed;
  };
  // Whoever aborts awaits `close` as well; that is where a violation comes out.
  const stop = () => void close().catch(() => undefined);
  options.signal?.addEventListener("abort", stop, { once: true });
  return {
    apiUrl: desk.urls.api,
    uploadUrl: desk.urls.uploads,
    token: Object.entries(desk.tokens).find(([, access]) => access === "write")?.[0] ?? defaultToken,
    repository: desk.repository,
    requests: traffic.requests,
    violations: desk.violations,
    snapshot: () => takeSnapshot(desk.store.state),
    proposals: () => takeProposalSnapshot(desk.store.state),
    readAsset: (tag, name) => readAsset(desk, tag, name),
    setFaults: traffic.setFaults,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createDesk(options: FakeGithubOptions): Desk {
  return {
    store: openStateStore(options.stateDir, options.commits),
    // Known when the ports are.
    urls: { api: "", uploads: "", web: "" },
    repository: options.repository ?? defaultRepository,
    formerNames: options.formerNames ?? [],
    tokens: options.tokens ?? { [defaultToken]: "write" },
    commits: options.commits,
    protectedTags: (options.protectedTags ?? []).map(createTagPattern),
    immutableReleases: options.immutableReleases ?? false,
    pullRequests: options.pullRequests ?? [1],
    rateLimit: { limit: options.rateLimit ?? 5000, used: 0, resetAt: 0 },
    now: options.now ?? (() => new Date()),
    violations: [],
  };
}

function createTagPattern(pattern: string): RegExp {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`);
}

function readAsset({ store }: World, tag: string, name: string): Buffer | undefined {
  const releases = store.state.releases.filter((release) => release.tag === tag);
  const asset = releases.flatMap(({ assets }) => assets).find((each) => each.name === name);
  return asset && store.readBytes(asset.id);
}

function requireNoViolation(violations: readonly string[]): void {
  if (violations.length === 0) return;
  throw new ToolError({
    code: "CODEX_JS_TESTKIT_GITHUB_VIOLATED",
    message: `GitHub's description does not allow this:\n  ${[...new Set(violations)].join("\n  ")}`,
    hint: "correct the request; where GitHub really does so, tools/testkit/src/fake-github/description/deviations.ts is the place",
    exitCode: exitCodes.checkFailed,
  });
}
