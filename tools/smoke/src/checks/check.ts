import type { CliContext } from "@codex-js/cli-kit";
import type { Project } from "../project.ts";
import type { Runtime } from "../runtime-store.ts";
import type { WorkspaceTools } from "../workspace-tools.ts";

export interface CheckContext {
  runtime: Runtime;
  /** Has the packages installed. */
  project: Project;
  workspace: WorkspaceTools;
  signal: CliContext["signal"];
}

/** One way to use the installed packages; it fails by throwing. */
export interface Check {
  /** As the report names it. */
  name: string;
  /**
   * The published packages that it uses; the check is skipped where one is not among the packages. A platform
   * package is named without its C library.
   */
  needs: readonly string[];
  run(context: CheckContext): Promise<void>;
}

export const sdkPackage = "@codex-js/sdk";
export const launcherPackage = "@codex-js/cli";
export const modRunnerPackage = "@codex-js/mod-runner";

/** This machine's platform package, or the beginning of its name where a C library follows. */
export function modRunnerPlatform(): string {
  return `${modRunnerPackage}-${process.platform}-${process.arch}`;
}
