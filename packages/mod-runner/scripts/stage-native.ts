// Lays the native program of one target into its platform package: `pnpm exec node scripts/stage-native.ts ID`.
import { join } from "node:path";
import { runnerTargets } from "../src/find-runner/runner-targets.ts";
import { describeStaged, stageProgram } from "./platforms/stage-program.ts";

const packageDir = join(import.meta.dirname, "..");
const id = process.argv[2];
const target = runnerTargets.find((one) => one.id === id);
if (target === undefined) {
  process.stderr.write(`error: there is no mod runner for a target ${id}\n`);
  process.exitCode = 2;
} else {
  const outcome = await stageProgram({
    target,
    platformDir: join(packageDir, "platforms", target.id),
    nativeDir: join(packageDir, "native-build", "dist"),
    binariesDir: process.env.CODEX_JS_MOD_RUNNER_BINARIES,
  });
  if (outcome.status === "faulty") {
    for (const problem of outcome.problems) process.stderr.write(`error: ${problem}\n`);
    process.exitCode = 1;
  } else {
    const line = describeStaged(outcome, process.env);
    if (line !== undefined) process.stdout.write(`mod runner for ${target.id}: ${line}\n`);
  }
}
