import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PublicPackage } from "@codex-js/pack";
import { compareReport, findRemovedReports } from "./compare-report.ts";
import { extractReport } from "./extract-report.ts";
import { listTypeEntries } from "./list-type-entries.ts";
import type { ApiReport, ApiReportResult } from "./types.ts";

/**
 * Whether the built API of each package is the one that git has. Reads only.
 * @throws ToolError CODEX_JS_API_NOT_BUILT, CODEX_JS_API_PATTERN (usage)
 */
export async function checkApiReports(packages: readonly PublicPackage[]): Promise<ApiReportResult> {
  const reports = await Promise.all(packages.map((pkg) => handleReports(pkg, async () => {})));
  return createResult(reports.flat(), ({ status }) => status === "unchanged");
}

/** Writes today's API into `etc/` and removes reports of entry points that are gone; invalid ones stay. */
export async function acceptApiReports(packages: readonly PublicPackage[]): Promise<ApiReportResult> {
  const reports = await Promise.all(packages.map((pkg) => handleReports(pkg, writeReport)));
  return createResult(reports.flat(), ({ status }) => status !== "invalid");
}

async function handleReports(
  pkg: PublicPackage,
  handle: (report: ApiReport, file: string, text: string) => Promise<void>,
): Promise<ApiReport[]> {
  const entries = listTypeEntries(pkg);
  const reports: ApiReport[] = [];
  for (const entry of entries) {
    const extracted = await extractReport(entry);
    const report = await compareReport(entry, extracted);
    await handle(report, entry.reportFile, extracted.text ?? "");
    reports.push(report);
  }
  for (const report of await findRemovedReports(pkg, entries)) {
    await handle(report, join(pkg.dir, report.reportFile), "");
    reports.push(report);
  }
  return reports;
}

async function writeReport({ status }: ApiReport, file: string, text: string): Promise<void> {
  if (status === "removed") await rm(file);
  if (status !== "added" && status !== "changed") return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

function createResult(reports: ApiReport[], isGood: (report: ApiReport) => boolean): ApiReportResult {
  return { version: 1, verdict: reports.every(isGood) ? "passed" : "failed", reports };
}
