import { existsSync } from "node:fs";
import { join } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { ReleaseLayout } from "../layout.ts";
import type { BuildRecord } from "./build-record.ts";

interface Versioned {
  name: string;
  version: string;
}

/**
 * What was built is still in the out dir and is what the step is about: documents that were edited, copied
 * from elsewhere or outlived the staging copy must not be worked from.
 * @throws ToolError CODEX_JS_RELEASE_BUILD_STALE (usage)
 */
export function requireStaged(layout: ReleaseLayout, build: BuildRecord, wanted: readonly Versioned[]): void {
  if (build.stagingDir !== layout.stagingDir) {
    throw describeStaleBuild(`the build is in ${build.stagingDir}, expected ${layout.stagingDir}`);
  }
  if (!existsSync(join(build.stagingDir, "package.json"))) {
    throw describeStaleBuild(`the staging copy ${build.stagingDir} is gone`);
  }
  const [built, expected] = [build.packages, wanted].map(formatVersions);
  if (built !== expected) throw describeStaleBuild(`what was built is ${built}, expected ${expected}`);
}

function formatVersions(packages: readonly Versioned[]): string {
  return packages
    .map(({ name, version }) => `${name}@${version}`)
    .sort()
    .join(", ");
}

export function describeStaleBuild(message: string): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_BUILD_STALE",
    message,
    hint: "pnpm release build",
    exitCode: exitCodes.usage,
  });
}
