import { redact, ToolError } from "@codex-js/cli-kit";
import type { Findings } from "../findings.ts";
import type { ReleaseSession } from "../session.ts";
import type { PackageResult, ReleaseReport } from "./report.ts";

/** @param failure what ended the release; undefined when it has come to its end */
export function createReport(
  session: ReleaseSession,
  findings: Findings,
  durationMs: number,
  failure: unknown,
  target: string,
): ReleaseReport {
  return {
    version: 1,
    ok: failure === undefined,
    target,
    commit: findings.plan?.commit ?? null,
    dirty: findings.plan?.dirty ?? false,
    durationMs,
    files: { tarballsDir: session.layout.tarballsDir, report: session.layout.reportFile },
    steps: session.steps,
    packages: describePackages(findings),
    leftOut: (findings.manifest?.leftOut ?? []).map((one) => ({ ...one, state: "left-out" })),
    gates: findings.gates?.gates ?? [],
    smokes: findings.smokes?.results ?? [],
    ...(findings.releaseUrl === undefined ? {} : { releaseUrl: findings.releaseUrl }),
    ...(failure === undefined ? {} : { error: describeFailure(failure) }),
  };
}

function describePackages({ manifest, published }: Findings): PackageResult[] {
  return (manifest?.packages ?? []).map((pkg) => ({
    name: pkg.name,
    version: pkg.version,
    integrity: pkg.integrity,
    sha256: pkg.sha256,
    packedBytes: pkg.packedBytes,
    unpackedBytes: pkg.unpackedBytes,
    files: pkg.files.length,
    state: published.find(({ name }) => name === pkg.name)?.state ?? "packed",
  }));
}

function describeFailure(failure: unknown): NonNullable<ReleaseReport["error"]> {
  if (failure instanceof ToolError) {
    const { code, message, hint } = failure;
    return { code, message, ...(hint === undefined ? {} : { hint }) };
  }
  return { code: "CODEX_JS_RELEASE_BUG", message: redact(String(failure)) };
}
