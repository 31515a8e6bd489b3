import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { runNode, withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { readDocument } from "../src/document/read.ts";
import { listProcesses, readProcFile } from "../src/processes/process-tree.ts";

const cli = join(import.meta.dirname, "..", "src", "cli.ts");
const onLinux = test.skipIf(process.platform !== "linux");

const quick = ["--settle-seconds", "0.2", "--sample-seconds", "1", "--sample-interval", "0.5"];

/** Everything that runs with a home folder below `dir`, which the bench makes under TMPDIR. */
function listOurs(dir: string): string[] {
  return listProcesses()
    .filter(
      ({ pid, zombie }) => !zombie && readProcFile(`/proc/${pid}/environ`)?.includes(`CODEX_HOME=${dir}`),
    )
    .map(({ pid }) => readProcFile(`/proc/${pid}/cmdline`)?.replaceAll("\0", " ") ?? "");
}

onLinux(
  "two real TUIs on each topology: processes are counted, samples are written, nothing is left",
  async () => {
    await withTempDir("cxb", async (dir) => {
      const output = join(dir, "out", "topology.json");
      await runNode(cli, ["topology", "--harnesses", "2", "--runs", "1", ...quick, "--output", output], {
        cwd: dir,
        env: { ...process.env, TMPDIR: dir },
      });
      const document = await readDocument(output);
      const medianOf = (metric: string, group: string, side: string) =>
        document.series.find((one) => one.metric === metric && one.group === group && one.side === side)?.p50;
      const processes = (side: string) =>
        ["servers", "tuis", "everything"].map((group) => medianOf("processes", group, side));
      expect({ shared: processes("shared"), own: processes("own"), embedded: processes("embedded") }).toEqual(
        {
          shared: [1, 2, 3],
          own: [2, 2, 4],
          embedded: [undefined, 2, 2],
        },
      );
      for (const metric of ["pssKib", "privateKib", "rssKib", "threads", "descriptors"]) {
        expect([metric, medianOf(metric, "everything", "shared")! > 0]).toEqual([metric, true]);
      }
      // Two intervals have three looks; counters have one value for the window.
      const count = (metric: string) =>
        document.samples.filter(
          ({ metric: name, group, side }) => name === metric && group === "everything" && side === "own",
        ).length;
      expect([count("pssKib"), count("cpuPercent")]).toEqual([3, 1]);
      expect(document.raw).toHaveLength(9);
      expect(listOurs(dir)).toEqual([]);
    });
  },
);

onLinux("Ctrl-C ends every server and TUI, and says so by its exit code", async () => {
  await withTempDir("cxb", async (dir) => {
    const child = spawn(
      process.execPath,
      [cli, "topology", "--harnesses", "2", "--topologies", "own", "--runs", "1", "--settle-seconds", "600"],
      { cwd: dir, env: { ...process.env, TMPDIR: dir }, stdio: ["ignore", "ignore", "pipe"] },
    );
    const ended = once(child, "exit");
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    while (listOurs(dir).filter((command) => command.includes(" resume ")).length < 2) {
      if (child.exitCode !== null) throw new Error(stderr);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(listOurs(dir)).toEqual([]);
  });
});
