import { existsSync } from "node:fs";
import { type CliContext, withTempDir } from "@codex-js/cli-kit";
import { listPublicPackages } from "@codex-js/pack";
import type { ReleaseLayout } from "./layout.ts";
import type { PlanTarget } from "./plan/create-plan.ts";
import { openRehearsal, type Rehearsal, rehearsalName } from "./targets/rehearsal.ts";

/** `registryDir` is kept afterwards; without it the registry lives in a temp folder and dies with `use`. */
export async function withRehearsal<Value>(
  context: CliContext,
  layout: ReleaseLayout,
  options: { registryDir: string | undefined; port: number },
  use: (rehearsal: Rehearsal) => Promise<Value>,
): Promise<Value> {
  const packageNames = (await listPublicPackages(layout.root)).map(({ name }) => name);
  const open = async (registryDir: string) => {
    await using rehearsal = await openRehearsal({ context, registryDir, port: options.port, packageNames });
    return await use(rehearsal);
  };
  return options.registryDir === undefined
    ? withTempDir("codex-js-registry", open)
    : open(options.registryDir);
}

/** For a plan alone: a registry that is not there yet has nothing, and none is made to find that out. */
export function withPlanTarget<Value>(
  context: CliContext,
  layout: ReleaseLayout,
  options: { registryDir: string | undefined; port: number },
  use: (target: PlanTarget) => Promise<Value>,
): Promise<Value> {
  if (options.registryDir === undefined || !existsSync(options.registryDir)) {
    return use({ name: rehearsalName, lookup: async () => undefined });
  }
  return withRehearsal(context, layout, options, ({ target }) => use(target));
}
