import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { describeMissingRunner, findBuiltRunner, runnerProgramPath } from "./built-runner.ts";

const linux = { platform: "linux", arch: "x64" } as const;

function createCheckout(...ids: string[]): { root: string; programs: string[] } {
  const root = mkdtempSync(join(tmpdir(), "codex-js-built-runner-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const programs = ids.map((id) => join(root, "packages/mod-runner/platforms", id, runnerProgramPath));
  for (const program of programs) {
    mkdirSync(dirname(program), { recursive: true });
    writeFileSync(program, "");
  }
  return { root, programs };
}

test.each(["linux-x64", "linux-x64-musl"])("finds what the build has left for %s", (id) => {
  const { root, programs } = createCheckout("darwin-arm64", id);
  expect(findBuiltRunner(root, { CODEX_JS_MOD_RUNNER_PATH: "" }, linux).program).toBe(programs[1]);
});

test("what the environment names comes before what was built, and is not replaced by it", () => {
  const { root, programs } = createCheckout("linux-x64");
  const find = (name: string) => findBuiltRunner(root, { CODEX_JS_MOD_RUNNER_PATH: name }, linux);
  expect(find(programs[0]!)).toEqual({ program: programs[0], places: [programs[0]] });
  expect(find(join(root, "none"))).toEqual({ program: undefined, places: [join(root, "none")] });
});

test("says where it has looked", () => {
  const { root } = createCheckout();
  const [glibc, musl] = ["linux-x64", "linux-x64-musl"].map((id) =>
    join(root, "packages/mod-runner/platforms", id, runnerProgramPath),
  );
  expect(describeMissingRunner(findBuiltRunner(root, {}, linux))).toBe(
    `there is no mod runner at ${glibc} or ${musl}`,
  );
  expect(describeMissingRunner(findBuiltRunner(root, {}, { platform: "win32", arch: "x64" }))).toBe(
    "no mod runner is built for this platform",
  );
});
