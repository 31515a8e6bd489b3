import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createProcessContext, runWithContext, withTempDir } from "@codex-js/cli-kit";
import { type FakeGithub, startFakeGithub } from "@codex-js/testkit/fake-github";
import { expect, test } from "vitest";
import { defineCi } from "../define-ci.ts";

const document = (day: string, ratio: number | null) => ({
  version: 1,
  scenario: "turns",
  startedAt: `2026-11-${day}T01:00:00.000Z`,
  machine: { cpuModel: "A processor", os: "Linux", cores: 4 },
  versions: { commit: "1".repeat(40), engine: "0.1.0", node: "24.0.0" },
  comparisons: [
    { group: "telemetry on", metric: "totalMs", side: "ours", baseline: "official", ratio, interval: null },
    { group: "telemetry off", metric: "totalMs", side: "ours", baseline: "official", ratio: null },
  ],
  samples: [1, 2, 3],
});

async function keep(github: FakeGithub, dir: string, documents: Record<string, unknown>) {
  for (const [path, content] of Object.entries(documents)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  const [out, err]: [string[], string[]] = [[], []];
  const context = {
    ...createProcessContext(new AbortController().signal),
    cwd: dir,
    env: {
      GITHUB_TOKEN: github.token,
      GITHUB_REPOSITORY: "codex-js/codex-js",
      GITHUB_API_URL: github.apiUrl,
    },
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
  };
  const argv = ["bench-history", "--input", "night", "--history", "history", "--branch", "benchmark-history"];
  return { exitCode: await runWithContext(defineCi, context, argv), out: out.join(""), err: err.join("") };
}

test("nights pile up in the branch, each compared with the median of those before", async () => {
  await using github = await startFakeGithub();
  const history: Record<string, string> = {};
  const outputs: string[] = [];
  for (const [day, ratio] of [
    ["01", 4],
    ["02", 2],
    ["03", 3],
    ["04", 6],
    // The job is run again.
    ["04", 6],
  ] as const) {
    await withTempDir("codex-js-history", async (dir) => {
      const night = { "night/linux-node24-turns/turns.json": document(day, ratio) };
      const { exitCode, out } = await keep(github, dir, { ...history, ...night });
      expect(exitCode).toBe(0);
      outputs.push(out.trimEnd().split("\n").at(-1)!);
    });
    for (const [path, text] of Object.entries(github.proposals().branches["benchmark-history"]!.files)) {
      history[`history/${path}`] = text!;
    }
  }
  const row = (now: string, usual: string, change: string, nights: number) =>
    `| linux-node24-turns | turns: telemetry on, totalMs, ours against official | ${now} | ${usual} | ${change} | ${nights} |`;
  expect(outputs).toEqual([
    "The first night of this history: nothing to compare with.",
    row("2.00×", "4.00×", "−50.0 %", 1),
    row("3.00×", "3.00×", "+0.0 %", 2),
    row("6.00×", "3.00×", "+100.0 %", 3),
    row("6.00×", "3.00×", "+100.0 %", 3),
  ]);
  expect(Object.keys(history)).toEqual(
    ["01", "02", "03", "04"].map((day) => `history/2026/11/2026-11-${day}T01-00-00-000Z.json`),
  );
  // Samples stay with the job's artifacts.
  expect(history["history/2026/11/2026-11-04T01-00-00-000Z.json"]).not.toContain("samples");
});

test.each([
  ["nothing measured", {}, "CODEX_JS_CI_NO_BENCHMARKS"],
  ["a document that is none", { "night/job/turns.json": "{}" }, "CODEX_JS_CI_BAD_BENCHMARK"],
  [
    "a history that is none",
    { "night/job/turns.json": document("01", 1), "history/2026/11/x.json": "[" },
    "CODEX_JS_CI_BAD_BENCHMARK",
  ],
])("%s is an error, and nothing is written", async (_, files, code) => {
  await using github = await startFakeGithub();
  await withTempDir("codex-js-history", async (dir) => {
    expect(await keep(github, dir, files)).toMatchObject({ exitCode: 3, err: expect.stringContaining(code) });
  });
  expect(github.requests).toEqual([]);
});
