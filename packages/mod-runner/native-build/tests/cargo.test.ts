// Every test of the Cargo workspace as one of these, so that they are counted with all others.
import { join } from "node:path";
import { runProcess } from "@codex-js/cli-kit";
import { describe, expect, test } from "vitest";
import { crateDir, createCargoEnv } from "../scripts/cargo-env.ts";
import { decideBuild } from "../scripts/decide-build.ts";
import { parseCargoTests } from "../scripts/parse-cargo-tests.ts";

const reason = decideBuild(process.env);

async function runCargoTests() {
  const env = {
    ...(await createCargoEnv(process.env)),
    // Beside the one that the release build embeds, which would be linked anew for it.
    CODEX_JS_SNAPSHOT: join(crateDir, "target", "test-snapshot.bin"),
  };
  const lines: string[] = [];
  const run = (args: string[]) =>
    runProcess("cargo", args, { cwd: crateDir, env, onLine: (line) => lines.push(line), okExitCodes: "any" });
  const snapshot = ["run", "--locked", "--package", "codex-js-snapshot", "--", env.CODEX_JS_SNAPSHOT];
  const made = await run(snapshot);
  const { exitCode } =
    made.exitCode === 0
      ? await run(["test", "--workspace", "--locked", "--no-fail-fast", "--", "--show-output"])
      : made;
  const output = lines.join("\n");
  return { exitCode, output, tests: parseCargoTests(output) };
}

/** What a test that failed has printed, its panic among it. */
function findFailure(output: string, name: string): string {
  const start = output.indexOf(`---- ${name} stdout ----`);
  return start === -1 ? output.slice(-5000) : output.slice(start, start + 5000);
}

if (reason === undefined) {
  const { exitCode, output, tests } = await runCargoTests();
  const programs = Object.groupBy(tests, ({ program }) => program);
  for (const [program, members = []] of Object.entries(programs)) {
    describe(program, () => {
      for (const { name, status, reason } of members) {
        const title = reason === undefined ? name : `${name}: ${reason}`;
        test.skipIf(status === "ignored")(title, () =>
          expect(status, findFailure(output, name)).toBe("passed"),
        );
      }
    });
  }
  test("cargo test", () => expect(exitCode, output.slice(-5000)).toBe(0));
} else test.skip(`cargo test: ${reason}`, () => {});
