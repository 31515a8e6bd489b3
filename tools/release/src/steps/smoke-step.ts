import { exitCodes, ToolError, withTempDir } from "@codex-js/cli-kit";
import { formatRuntime, runSmokes, type SmokeReport } from "@codex-js/smoke";
import type { PublishReport } from "../publish/publish-report.ts";
import { type ReleaseSession, runStep } from "../session.ts";
import { describeRegistry } from "../targets/rehearsal.ts";
import type { Venue } from "../venue.ts";
import { describeSmokeFailure } from "./smoke-failure.ts";

export interface SmokeStepOptions {
  venue: Venue;
  published: PublishReport;
  /** Ids of the matrix; all of it without. */
  runtimes: readonly string[] | undefined;
  /** Called with the outcome when the step has ended, before its failure is thrown. */
  onReport: (report: SmokeReport) => void;
}

/** Smoke: installs what the registry now serves into empty projects, and uses it, on every runtime. */
export async function runSmokeStep(session: ReleaseSession, options: SmokeStepOptions): Promise<SmokeReport> {
  const { context } = session;
  const { venue, published, runtimes } = options;
  let report: SmokeReport | undefined;
  try {
    return await runStep(session, "smoke", "Smoke", (step) =>
      withTempDir("codex-js-smoke", async (workDir) => {
        report = await runSmokes({
          context,
          registryUrl: venue.target.registryUrl,
          packages: published.packages.map(({ name, version }) => ({ name, version })),
          leftOut: published.leftOut ?? [],
          ...(runtimes === undefined ? {} : { runtimes }),
          workDir,
          cacheDir: venue.cacheDir,
          onEvent: ({ runtime, check, state }) => step.update(`${runtime} ${check} ${state}`),
          // A runtime takes up to a minute: who reads a log sees that it goes on.
          onRuntime: (result) => context.stderr.write(`  ${formatRuntime(result)}\n`),
        }).catch((error: unknown) => {
          throw explainNotPublished(error, venue);
        });
        const failure = describeSmokeFailure(report, venue);
        if (failure !== undefined) throw failure;
        return { value: report, detail: report.results.map(({ runtime }) => runtime).join(", ") };
      }),
    );
  } finally {
    if (report !== undefined) options.onReport(report);
  }
}

/** The registry of a whole run dies with it; what the step alone finds there is from the steps alone. */
function explainNotPublished(error: unknown, { target }: Venue): unknown {
  if (!(error instanceof ToolError) || error.code !== "CODEX_JS_SMOKE_NOT_PUBLISHED") return error;
  return new ToolError({
    code: "CODEX_JS_RELEASE_NOT_PUBLISHED",
    message: `${describeRegistry(target.name, target.registryUrl)} does not have what is to be smoked: ${error.message}`,
    hint: "pnpm release publish",
    exitCode: exitCodes.usage,
  });
}
