import { join } from "node:path";
import { findWorkspaceRoot, pickUserEnv, runNode } from "@codex-js/cli-kit";
import { targets } from "@codex-js/platforms";
import { runtimeSpecs } from "@codex-js/smoke";
import { expect, test } from "vitest";
import { benchScenarios, listScenarios, matrices } from "./matrices.ts";
import runners from "./runners.json" with { type: "json" };

const runtimes = runtimeSpecs.map(({ id }) => id);

test("every target with a mod runner is built, on a machine of its own system and processor", () => {
  const built = targets.filter(({ modRunner }) => modRunner !== false).map(({ id }) => id);
  expect(built.length).toBeGreaterThan(0);
  expect(matrices.native().map(({ target }) => target)).toEqual(built);
  expect(Object.keys(runners.targets)).toEqual(built);
  const systems = { ubuntu: "linux", macos: "darwin", windows: "win32" };
  for (const { target, triple, os } of matrices.native()) {
    const row = targets.find(({ id }) => id === target)!;
    const [system, , kind] = os.split("-") as [keyof typeof systems, string, string?];
    const isArm = kind === "arm" || (system === "macos" && kind !== "intel");
    expect({ target, triple, os: systems[system], cpu: isArm ? "arm64" : "x64" }).toEqual({
      target: row.id,
      triple: row.triple,
      os: row.os,
      cpu: row.cpu,
    });
  }
});

test("what was published is smoked on every runtime of the table, on three systems", () => {
  const jobs = matrices.smoke();
  expect([...new Set(jobs.map(({ os }) => os.split("-")[0]))]).toEqual(["ubuntu", "macos", "windows"]);
  for (const os of runners.everywhere) {
    expect(jobs.filter((job) => job.os === os).map(({ runtime }) => runtime)).toEqual(runtimes);
  }
});

test("benchmarks run on every runtime but Node 20, whichever their form", () => {
  const onLinux = matrices.bench().filter(({ os }) => os.startsWith("ubuntu"));
  const benched = runtimes.filter((id) => id !== "node20");
  expect(onLinux.map(({ runtime }) => runtime)).toEqual(benched);
  expect([...new Set(matrices.nightly().map(({ runtime }) => runtime))]).toEqual(benched);
  expect(matrices.bench().filter(({ runtime }) => !benched.includes(runtime))).toEqual([]);
});

test("every scenario of the benchmarks has its place in the matrix", async () => {
  const bench = join(findWorkspaceRoot(import.meta.dirname), "tools", "bench", "src", "cli.ts");
  const { stdout } = await runNode(bench, ["--help"], {
    cwd: import.meta.dirname,
    env: pickUserEnv(process.env),
  });
  const commands = stdout.slice(stdout.indexOf("Commands:"));
  const names = [...commands.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name!);
  const scenarios = names.filter((name) => name !== "report" && name !== "help");
  expect([...benchScenarios.perRuntime, ...benchScenarios.once].sort()).toEqual(scenarios.sort());
  expect(listScenarios("bun")).toEqual(benchScenarios.perRuntime);
  expect(listScenarios("node24")).toEqual([...benchScenarios.perRuntime, ...benchScenarios.once]);
});
