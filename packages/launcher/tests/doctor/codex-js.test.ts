import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { builtScript, installLauncher, run } from "../launcher-process.ts";
import { hasBun } from "./doctor-process.ts";

const isWindows = process.platform === "win32";

describe.each([
  { name: "Node.js", runtime: process.execPath, isMissing: false },
  { name: "Bun", runtime: "bun", isMissing: !hasBun },
])("$name", ({ runtime, isMissing }) => {
  test.skipIf(isMissing)("help, versions, and a command that does not exist", () => {
    const script = join(dirname(builtScript), "codex-js.js");
    const [help, doctorHelp, version, wrong] = [
      ["--help"],
      ["doctor", "--help"],
      ["--version"],
      ["nope"],
    ].map((args) => run([runtime, script, ...args]));
    expect([help?.status, doctorHelp?.status, version?.status, wrong?.status]).toEqual([0, 0, 0, 2]);
    expect(help?.stdout.toString()).toMatch(/^Usage: codex-js <command>.*\n {2}doctor {2}/s);
    expect(doctorHelp?.stdout.toString()).toMatch(/^Usage: codex-js doctor.*--dry-run.*--json/s);
    expect(version?.stdout.toString()).toMatch(/^codex-js \S+ \(engine \d+\.\d+\.\d+\S*\)\n$/);
    expect(wrong?.stderr.toString()).toMatch(/^error: .+ \(CODEX_JS_CLI_USAGE\)\n {2}fix: .+\n$/);
  });

  test.skipIf(isMissing)("without an engine: the same message as codex, exit code 3", () => {
    const { script } = installLauncher({ withEngine: false });
    const { status, stderr } = run([runtime, join(dirname(script), "codex-js.js"), "doctor"]);
    expect([status, stderr.toString()]).toEqual([3, run([runtime, script]).stderr.toString()]);
  });
});

test("codex reads codex.js alone: it imports nothing of codex-js", () => {
  const imported = readFileSync(builtScript, "utf8").matchAll(/(?:\bfrom|\bimport\(?)\s*"([^"]+)"/g);
  const own = new Set([...imported].map(([, id]) => id).filter((id) => !id?.startsWith("node:")));
  expect(own).toEqual(new Set(["./explain-failure.js"]));
});

// The fake engine is a shell script, which Windows cannot run as a program.
test.skipIf(isWindows)("codex runs where every file of codex-js is missing", () => {
  const { script } = installLauncher();
  const dist = dirname(script);
  const others = readdirSync(dist).filter((name) => name !== "codex.js");
  expect(others).toEqual(expect.arrayContaining(["codex-js.js", "doctor.js", "toml-parser.js"]));
  for (const name of others) rmSync(join(dist, name));
  expect(run([process.execPath, script, "exit", "7"]).status).toBe(7);
});
