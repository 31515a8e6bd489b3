import { exitCodes, ToolError, withTempDir } from "@codex-js/cli-kit";
import { type RuntimeResult, runSmokes, type SmokeReport } from "@codex-js/smoke";
import type { PublishReport } from "../publish/publish.ts";
import { type ReleaseSession, runStep } from "../session.ts";
import type { Rehearsal } from "../targets/rehearsal.ts";

export interface SmokeStepOptions {
  rehearsal: Rehearsal;
  published: PublishReport;
  /** Ids of the matrix; all of it without. */
  runtimes: readonly string[] | undefined;
  /** Called with the outcome before a failure is thrown. */
  onReport: (report: SmokeReport) => void;
}

/** Smoke: installs what the registry now serves into empty projects, and uses it, on every runtime. */
export function runSmokeStep(session: ReleaseSession, options: SmokeStepOptions): Promise<SmokeReport> {
  const { context } = session;
  const { rehearsal, published, runtimes } = options;
  return runStep(session, "smoke", "Smoke", (step) =>
    withTempDir("codex-js-smoke", async (workDir) => {
      const report = await runSmokes({
        context,
        registryUrl: rehearsal.target.registryUrl,
        packages: published.packages.map(({ name, version }) => ({ name, version })),
        ...(runtimes === undefined ? {} : { runtimes }),
        workDir,
        cacheDir: rehearsal.cacheDir,
        onEvent: ({ runtime, check, state }) => step.update(`${runtime} ${check} ${state}`),
      });
      options.onReport(report);
      await requireSmokesPassed(report, rehearsal);
      return { value: report, detail: report.results.map(({ runtime }) => runtime).join(", ") };
    }),
  );
}

async function requireSmokesPassed(report: SmokeReport, rehearsal: Rehearsal): Promise<void> {
  const failed = report.results.filter(({ ok }) => !ok);
  if (failed.length === 0) return;
  const missing = await rehearsal.readUplinkFailures();
  if (missing.length > 0) throw describeUplink(missing, failed);
  throw new ToolError({
    code: "CODEX_JS_RELEASE_SMOKE_FAILED",
    message: `what was published does not work on ${failed.map(({ runtime }) => runtime).join(", ")}\n${formatFailures(failed)}`,
    hint: `pnpm release --runtime ${failed[0]!.runtime} runs it for that runtime alone`,
    exitCode: exitCodes.checkFailed,
  });
}

/** The packages are not to blame when what they depend on could not be fetched. */
function describeUplink(missing: string[], failed: RuntimeResult[]): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_UPLINK_FAILED",
    message: `the registry that npm is configured with did not deliver what the smokes install\n${missing.slice(-3).join("\n")}\n${formatFailures(failed)}`,
    hint: "see that it can be reached (npm ping); then `pnpm release` works again",
    exitCode: exitCodes.external,
  });
}

function formatFailures(failed: RuntimeResult[]): string {
  return failed
    .flatMap(({ runtime, checks }) =>
      checks
        .filter(({ status }) => status === "failed")
        .map(({ name, message }) => `  ${runtime} ${name}: ${(message ?? "").split("\n").join("\n    ")}`),
    )
    .join("\n");
}
