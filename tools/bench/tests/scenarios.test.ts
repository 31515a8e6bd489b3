import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { runNode } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import type { BenchDocument } from "../src/document/types.ts";
import { findEngine } from "../src/engine/find-engine.ts";

const packageDir = join(import.meta.dirname, "..");

async function runBench(...args: string[]): Promise<BenchDocument> {
  const output = join(packageDir, ".reports", `${args[0]}.json`);
  const cli = join(packageDir, "src", "cli.ts");
  const { stdout } = await runNode(cli, [...args, "--json", "--output", output], {
    cwd: packageDir,
    env: process.env,
  });
  return JSON.parse(stdout) as BenchDocument;
}

/** `group / side` of every comparison that has a ratio. */
function listRatios(document: BenchDocument): string[] {
  return document.comparisons.map(({ group, side, baseline }) => `${group}: ${side} / ${baseline}`);
}

test("jsonl measures every side on every workload, ours among them", async () => {
  const document = await runBench(
    ...["jsonl", "--runtimes", "node24", "--blocks", "1", "--min-ms", "1"],
    ...["--ours", join(packageDir, "fixtures", "line-reader.ts")],
  );
  const workloads = document.series.filter(({ side }) => side === "ours").map(({ group }) => group);
  expect(workloads).toEqual([
    "200 B lines, node24",
    "1 MB lines, node24",
    "200 B lines, one in ten not ASCII, node24",
    "1 MB lines, not ASCII, node24",
  ]);
  for (const group of workloads) {
    expect(listRatios(document)).toContain(`${group}: ours / readline + JSON.parse`);
    const sides = document.series.filter((series) => series.group === group).map(({ side }) => side);
    expect(sides.sort()).toEqual([
      "JSON.parse alone",
      "ours",
      "plain Buffer splitter",
      "readline + JSON.parse",
      "readline's events + JSON.parse",
    ]);
  }
});

test("turns runs every side to its end, and times it", async () => {
  const document = await runBench(
    ...["turns", "--runtimes", "node24", "--turns", "2", "--runs", "1", "--repeats", "1"],
    ...["--telemetry", "off"],
  );
  const sides = ["official SDK, process per turn", "ours, process per turn", "ours", "bare JSON-RPC"];
  const totals = document.series.filter(({ metric }) => metric === "turnsMsTelemetryOff");
  expect(totals.map(({ side, count }) => [side, count])).toEqual(sides.map((side) => [side, 1]));
  expect(document.raw.map((one) => (one as { turnMs: number[] }).turnMs.length)).toEqual([2, 2, 2, 2]);
  expect(listRatios(document).slice(0, 4)).toEqual([
    "node24: ours / official SDK, process per turn",
    "node24: ours / ours, process per turn",
    "node24: bare JSON-RPC / official SDK, process per turn",
    "node24: ours / bare JSON-RPC",
  ]);
});

test.runIf(process.platform === "linux")(
  "soak kills engines, and nothing is lost, doubled or left",
  async () => {
    const document = await runBench("soak", "--turns", "60", "--threads", "3", "--kill-every", "12");
    expect(document.problems).toEqual([]);
    expect(document.summary).toMatch(/60 turns .* 0 lost, 0 doubled, 0 left behind$/);
    const events = Map.groupBy(document.raw as { event: string }[], ({ event }) => event);
    expect(events.get("kill")?.length).toBeGreaterThan(0);
    expect([events.get("turn")?.length, events.get("end")?.length]).toEqual([60, 1]);
  },
);

const hyperfineIsThere = spawnSync("hyperfine", ["--version"]).status === 0;

test.skipIf(!hyperfineIsThere)(
  "launch times both launchers and the engine, and keeps hyperfine's export",
  async () => {
    const document = await runBench(
      ...["launch", "--launcher", findEngine().officialLauncher, "--runtimes", "node24"],
      ...["--blocks", "2", "--runs", "2", "--warmups", "0"],
    );
    const order = document.samples.filter((_, index) => index % 2 === 0).map(({ side }) => side);
    expect(order).toEqual(["ours", "official", "engine alone", "engine alone", "official", "ours"]);
    expect(document.samples.every(({ value }) => value > 0)).toBe(true);
    expect(document.raw).toMatchObject([
      { block: 0, runtime: "node24", hyperfine: { results: [{ command: "ours" }, {}, {}] } },
      { block: 1, runtime: "node24", hyperfine: { results: [{ command: "engine alone" }, {}, {}] } },
    ]);
  },
);

test("toolchain times test start-up on Node and Bun", async () => {
  const document = await runBench("toolchain", "--parts", "test start-up", "--blocks", "2");
  expect(document.series.map(({ side, count }) => [side, count])).toEqual([
    ["vitest on node", 2],
    ["bun test", 2],
    ["node --test", 2],
  ]);
  expect(listRatios(document)).toEqual([
    "toolchain: bun test / vitest on node",
    "toolchain: bun test / node --test",
  ]);
});
