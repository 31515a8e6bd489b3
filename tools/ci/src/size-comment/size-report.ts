import { readFile } from "node:fs/promises";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { SizeReport } from "@codex-js/size-gate";
import { z } from "zod";

const bytes = z.number().nonnegative();
const problem = z.object({
  package: z.string(),
  code: z.templateLiteral(["CODEX_JS_", z.string()]),
  message: z.string(),
  hint: z.string().optional(),
});
const lastRelease = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("published"),
    version: z.string(),
    packedBytes: bytes,
    unpackedBytes: bytes,
    fileCount: z.int(),
  }),
  z.object({ status: z.literal("first-release") }),
  z.object({ status: z.literal("unknown"), reason: z.string() }),
]);
const packageSizes = z.object({
  name: z.string(),
  version: z.string(),
  packedBytes: bytes,
  unpackedBytes: bytes,
  files: z.array(z.object({ path: z.string(), sizeBytes: bytes })),
  budget: z
    .object({
      packedBytes: bytes,
      unpackedBytes: bytes,
      files: z.record(z.string(), bytes),
      growthPercent: z.number().optional(),
    })
    .nullable(),
  lastRelease,
  problems: z.array(problem),
});
const bundleSizes = z.object({
  package: z.string(),
  import: z.string(),
  brotliBytes: bytes,
  measuredBytes: bytes.nullable(),
  problems: z.array(problem),
});
const sizeReport = z.object({
  version: z.literal(1),
  verdict: z.enum(["passed", "failed"]),
  checks: z.object({ passed: z.int(), failed: z.int(), skipped: z.int() }),
  packages: z.array(packageSizes),
  bundles: z.array(bundleSizes),
  leftOut: z.array(z.object({ name: z.string(), version: z.string(), reason: z.string() })),
  problems: z.array(problem),
});

/**
 * What `pnpm size --json` has printed. It comes from a job that runs a pull request's own code, so all of it is
 * looked at before anything is said with a token.
 * @throws ToolError CODEX_JS_CI_BAD_SIZE_REPORT (external)
 */
export async function readSizeReport(path: string): Promise<SizeReport> {
  try {
    return sizeReport.parse(JSON.parse(await readFile(path, "utf8"))) as SizeReport;
  } catch (cause) {
    throw new ToolError({
      code: "CODEX_JS_CI_BAD_SIZE_REPORT",
      message: `${path} is no report of the size gate`,
      hint: "pnpm --silent size --json > FILE",
      exitCode: exitCodes.external,
      cause,
    });
  }
}
