import { fileURLToPath } from "node:url";
import { type CliContext, exitCodes, runNode, ToolError } from "@codex-js/cli-kit";
import { listPublicPackages } from "@codex-js/pack";
import { createChildEnv } from "../child-env.ts";
import type { ReleasePlan } from "../plan/plan.ts";

/**
 * Runs `changeset version` in the copy, which writes versions and changelogs, and holds the outcome against
 * the plan.
 * @throws ToolError CODEX_JS_RELEASE_PLAN_STALE (usage) when the plan is of another working tree
 */
export async function applyVersions(
  context: CliContext,
  stagingDir: string,
  plan: ReleasePlan,
): Promise<void> {
  if (plan.packages.some(({ reason }) => reason !== "current")) {
    const cli = fileURLToPath(new URL("bin.js", import.meta.resolve("@changesets/cli/package.json")));
    await runNode(cli, ["version"], {
      cwd: stagingDir,
      env: createChildEnv(context.env),
      signal: context.signal,
    });
  }
  const packages = await listPublicPackages(stagingDir);
  const staged = packages.map(({ name, version }) => `${name}@${version}`).sort();
  const planned = plan.packages.map(({ name, to }) => `${name}@${to}`).sort();
  if (staged.join() === planned.join()) return;
  throw new ToolError({
    code: "CODEX_JS_RELEASE_PLAN_STALE",
    message: `the plan has ${planned.join(", ")}; the working tree now gives ${staged.join(", ")}`,
    hint: "pnpm release plan",
    exitCode: exitCodes.usage,
  });
}
