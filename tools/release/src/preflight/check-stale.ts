import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { SourceState } from "../git.ts";
import type { Manifest } from "../pack/manifest.ts";
import type { ReleasePlan } from "../plan/plan.ts";
import { isManifestOf } from "../reuse-packed.ts";
import type { Finding } from "./finding.ts";

export interface StaleFacts {
  plan: ReleasePlan;
  /** Undefined before packing. */
  manifest: Manifest | undefined;
  /** As it is now. */
  source: SourceState;
}

/** What is released is the commit that is checked out, as it stands: planned from it and packed from it. */
export function checkStale({ plan, manifest, source }: StaleFacts): Finding[] {
  const findings: Finding[] = [];
  if (source.dirty || plan.dirty) {
    findings.push({
      code: "CODEX_JS_RELEASE_TREE_DIRTY",
      subject: "working tree",
      message: `it differs from ${plan.commit.slice(0, 12)}${source.dirty ? "" : " in the plan"}, and nobody could build again what is released`,
      hint: source.dirty ? "git status shows it: commit it or remove it" : "pnpm release plan --to npm",
    });
  }
  if (source.commit !== plan.commit) {
    findings.push({
      code: "CODEX_JS_RELEASE_PLAN_STALE",
      subject: "plan",
      message: `it is of ${plan.commit.slice(0, 12)}, and ${source.commit.slice(0, 12)} is checked out`,
      hint: `git checkout ${plan.commit.slice(0, 12)} goes on with it; pnpm release --to npm makes this commit's`,
    });
  }
  if (manifest !== undefined && !isManifestOf(manifest, plan)) {
    findings.push({
      code: "CODEX_JS_RELEASE_PLAN_STALE",
      subject: "manifest",
      message: `what was packed from ${manifest.commit.slice(0, 12)}${manifest.dirty ? " with changes" : ""} are not the packages of the plan`,
      hint: "pnpm release --to npm packs them anew",
    });
  }
  return findings;
}

/**
 * For a step that has no preflight of its own.
 * @throws ToolError CODEX_JS_RELEASE_TREE_DIRTY, CODEX_JS_RELEASE_PLAN_STALE (check failed), with the first thing found
 */
export function requireNotStale(facts: StaleFacts): void {
  const [found] = checkStale(facts);
  if (found === undefined) return;
  const { code, subject, message, hint } = found;
  throw new ToolError({ code, message: `${subject}: ${message}`, hint, exitCode: exitCodes.checkFailed });
}
