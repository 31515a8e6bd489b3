import { delimiter, dirname, join } from "node:path";
import { runNode } from "@codex-js/cli-kit";
import { createChildEnv } from "../child-env.ts";
import { findBun } from "../runtimes.ts";
import { findToolFile } from "./find-tool.ts";
import { providePnpm } from "./provide-pnpm.ts";
import type { Step, ToolPart, ToolTask } from "./types.ts";

/** The SDK's build with everything it depends on, through turbo; and its build script alone on Node and Bun. */
export const build: ToolPart = {
  name: "build",
  plan: async ({ context }): Promise<ToolTask[]> => {
    // turbo starts a package's script through pnpm.
    const pnpmDir = dirname(await providePnpm(context));
    const base = createChildEnv(context.env);
    const env = {
      ...base,
      PATH: `${pnpmDir}${delimiter}${base.PATH ?? ""}`,
      TURBO_TELEMETRY_DISABLED: "1",
    };
    const turbo = findToolFile("turbo", "bin/turbo");
    const common = ["run", "build", "--filter=@codex-js/sdk", "--output-logs=errors-only"];
    const turboStep = (...more: string[]): Step => {
      return { file: process.execPath, args: [turbo, ...common, ...more], cwd: context.root, env };
    };
    // Fills the cache, and shows whether there is anything to build.
    await runNode(turbo, common, { cwd: context.root, env, signal: context.signal });
    const script = join("scripts", "build.ts");
    const sdk = join(context.root, "packages", "sdk");
    return [
      {
        metric: "buildMs",
        label: "build of the SDK and what it needs, turbo",
        sides: [
          { name: "cached", step: turboStep() },
          { name: "uncached", step: turboStep("--force") },
        ],
        comparisons: [{ side: "cached", baseline: "uncached" }],
      },
      {
        metric: "buildScriptMs",
        label: "build script of the SDK",
        sides: [
          { name: "node", step: { file: process.execPath, args: [script], cwd: sdk, env } },
          { name: "bun", step: { file: findBun(), args: [script], cwd: sdk, env } },
        ],
        comparisons: [{ side: "bun", baseline: "node" }],
      },
    ];
  },
};
