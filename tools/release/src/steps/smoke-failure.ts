import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { CheckResult, RuntimeResult, SmokeReport } from "@codex-js/smoke";
import type { Venue } from "../venue.ts";

type Uplink = Pick<Venue, "uplink" | "readUplinkFailures">;

/** What a report that is not ok amounts to; undefined for one that is. */
export function describeSmokeFailure(report: SmokeReport, venue: Uplink): ToolError | undefined {
  const failed = report.results.filter(({ ok }) => !ok);
  if (failed.length === 0) return undefined;
  const undelivered = venue.readUplinkFailures();
  const reasons = failed.map((result) => findOutsideReason(result, undelivered.length > 0));
  if (reasons.includes(undefined)) return describePackages(failed);
  const full = reasons.find((reason) => reason?.code === "CODEX_JS_SMOKE_DISK_FULL");
  return full === undefined ? describeUplink(venue, undelivered, failed) : describeDisk(full);
}

/** The checks that fetch something. With what they fetch in place, the others need nothing of the outside. */
const fetching = ["runtime", "install"];

function findOutsideReason({ checks }: RuntimeResult, uplinkFailed: boolean): CheckResult | undefined {
  return checks.find(
    ({ name, status, external }) =>
      status === "failed" && (external === true || (uplinkFailed && fetching.includes(name))),
  );
}

function describePackages(failed: RuntimeResult[]): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_SMOKE_FAILED",
    message: `what was published does not work on ${failed.map(({ runtime }) => runtime).join(", ")}\n${formatFailures(failed)}`,
    hint: `pnpm release --runtime ${failed[0]!.runtime} runs it for that runtime alone`,
    exitCode: exitCodes.checkFailed,
  });
}

/** The packages are not to blame when what they depend on could not be fetched. */
function describeUplink({ uplink }: Uplink, undelivered: string[], failed: RuntimeResult[]): ToolError {
  const said = [...new Set(undelivered)].slice(-3).map((line) => `  ${line}\n`);
  return new ToolError({
    code: "CODEX_JS_RELEASE_UPLINK_FAILED",
    message: `${uplink}, which npm is configured with, did not deliver what the smokes install\n${said.join("")}${formatFailures(failed.map(withoutRemedies))}`,
    hint: "see that it can be reached (npm ping); the same command works afterwards",
    exitCode: exitCodes.external,
  });
}

/** All of them come to the one that is given here. */
function withoutRemedies(result: RuntimeResult): RuntimeResult {
  const strip = (message: string) =>
    message
      .split("\n")
      .filter((line) => !/^\s*fix: /.test(line))
      .join("\n");
  const checks = result.checks.map((check) =>
    check.message === undefined ? check : { ...check, message: strip(check.message) },
  );
  return { ...result, checks };
}

function describeDisk({ message }: CheckResult): ToolError {
  return new ToolError({
    code: "CODEX_JS_SMOKE_DISK_FULL",
    message: (message ?? "").split("\n", 1)[0]!.replace(/ \(CODEX_JS_\w+\)$/, ""),
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
