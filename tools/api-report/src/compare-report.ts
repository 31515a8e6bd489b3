import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { PublicPackage } from "@codex-js/pack";
import { createTwoFilesPatch } from "diff";
import type { ExtractedReport } from "./extract-report.ts";
import type { ApiReport, TypeEntry } from "./types.ts";

/** Holds the report of today against the file in git. */
export async function compareReport(entry: TypeEntry, extracted: ExtractedReport): Promise<ApiReport> {
  const reportFile = relative(entry.packageDir, entry.reportFile).replaceAll("\\", "/");
  const { problems, text } = extracted;
  const described = { package: entry.package, reportFile };
  const committed = await readReport(entry.reportFile);
  const isSame = text === undefined || committed === text;
  const diff = isSame ? "" : formatDiff(reportFile, committed ?? "", text);
  return { ...described, status: findStatus(extracted, committed), diff, problems };
}

function findStatus({ problems, text }: ExtractedReport, committed: string | undefined): ApiReport["status"] {
  if (problems.length > 0) return "invalid";
  if (committed === undefined) return "added";
  return committed === text ? "unchanged" : "changed";
}

/** Reports in git that no entry point has any more. */
export async function findRemovedReports(
  pkg: PublicPackage,
  entries: readonly TypeEntry[],
): Promise<ApiReport[]> {
  const dir = join(pkg.dir, "etc");
  const files = await readdir(dir).catch(() => []);
  const expected = entries.map(({ reportFile }) => basename(reportFile));
  const removed = files.filter((file) => file.endsWith(".api.md") && !expected.includes(file)).sort();
  return Promise.all(
    removed.map(async (file): Promise<ApiReport> => {
      const text = (await readReport(join(dir, file))) ?? "";
      const reportFile = `${basename(dirname(join(dir, file)))}/${file}`;
      const diff = formatDiff(reportFile, text, "");
      return { package: pkg.name, reportFile, status: "removed", diff, problems: [] };
    }),
  );
}

async function readReport(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  // A checkout may have turned line ends around.
  return text?.replaceAll("\r\n", "\n");
}

function formatDiff(name: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(name, name, before, after, "committed", "built", { context: 2 });
  return patch.replace(/^Index: .*\n=+\n/, "");
}
