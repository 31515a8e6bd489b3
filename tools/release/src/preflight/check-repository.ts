import type { PackageManifest, PublicPackage } from "@codex-js/pack";
import { readRepositoryUrl } from "../repository.ts";
import type { Finding } from "./finding.ts";

/**
 * The registry compares each package's repository with the one that the signed statement names, and refuses
 * the package with a 422 when they differ; an empty one too (https://github.com/npm/cli/issues/8976).
 * @param workflowRepository `owner/name` of the repository that the workflow runs in; undefined outside of one
 */
export function checkRepositories(
  packages: readonly PublicPackage[],
  rootManifest: PackageManifest,
  workflowRepository: string | undefined,
): Finding[] {
  const expected = readRepositoryUrl(rootManifest);
  const findings = packages
    .filter(({ manifest }) => readRepositoryUrl(manifest) !== expected || expected === "")
    .map(({ name, manifest }) =>
      describe(name, `repository.url is ${show(manifest)}, the root's is ${show(rootManifest)}`),
    );
  const isElsewhere =
    workflowRepository !== undefined &&
    !expected.toLowerCase().endsWith(`github.com/${workflowRepository.toLowerCase()}.git`);
  if (isElsewhere) {
    const message = `repository.url is ${show(rootManifest)}, the workflow runs in ${workflowRepository}`;
    findings.push(describe("package.json", message));
  }
  return findings;
}

function show(manifest: PackageManifest): string {
  return JSON.stringify(readRepositoryUrl(manifest));
}

function describe(subject: string, message: string): Finding {
  return {
    code: "CODEX_JS_RELEASE_REPOSITORY_FIELD",
    subject,
    message,
    hint: "set it to git+https://github.com/OWNER/NAME.git of the repository that releases it",
  };
}
