import { createProcessContext, runWithContext } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { defineBench } from "./program.ts";
import { scenarios } from "./scenarios.ts";

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const context = {
    ...createProcessContext(new AbortController().signal),
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
  };
  const code = await runWithContext(defineBench, context, argv);
  return { code, out: out.join(""), err: err.join("") };
}

test("--help names every scenario and the report", async () => {
  const { code, out } = await run("--help");
  expect(code).toBe(0);
  for (const name of [...scenarios.map((scenario) => scenario.name), "report"])
    expect(out).toContain(`  ${name} `);
});

test("a scenario's help has its options with the defaults of both forms", async () => {
  const { out } = await run("topology", "--help");
  expect(out.replaceAll(/\s+/g, " ")).toContain("--harnesses <n> TUIs (default: 20, short form: 4)");
});

test.each([
  [["topology", "--harnesses", "many"], "CODEX_JS_BENCH_BAD_OPTION"],
  [["topology", "--harnesses", "0"], "CODEX_JS_BENCH_BAD_OPTION"],
  [["toolchain", "--parts", "bild"], "CODEX_JS_BENCH_BAD_OPTION"],
  [["topology", "--topologies", "ring"], "CODEX_JS_BENCH_BAD_OPTION"],
  [["jsonl", "--runtimes", "node12"], "CODEX_JS_SMOKE_UNKNOWN_RUNTIME"],
  [["turns", "--runtimes", "node24", "--telemetry", "maybe"], "CODEX_JS_BENCH_BAD_OPTION"],
  [["report", "--input", "no-such-file.json", "--output", "x.html"], "CODEX_JS_BENCH_BAD_DOCUMENT"],
  [["jsonl", "--harnesses", "3"], "unknown option"],
])("%j is a usage error", async (argv, message) => {
  const { code, err } = await run(...argv);
  expect({ code, named: err.includes(message) }).toEqual({ code: 2, named: true });
});
