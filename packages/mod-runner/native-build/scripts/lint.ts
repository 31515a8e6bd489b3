// rustfmt and clippy over the whole Cargo workspace, tests included. Where nothing is built, only rustfmt's part
// of it could be looked at, so all of it is left out, and said so.
import { runProcess } from "@codex-js/cli-kit";
import { crateDir, createCargoEnv } from "./cargo-env.ts";
import { decideBuild } from "./decide-build.ts";

const checks = [
  ["fmt", "--all", "--check"],
  ["clippy", "--workspace", "--all-targets", "--locked", "--", "--deny", "warnings"],
];

const reason = decideBuild(process.env);
if (reason !== undefined) process.stdout.write(`skipped: ${reason}\n`);
else {
  const env = await createCargoEnv(process.env);
  for (const args of checks) {
    const { exitCode } = await runProcess("cargo", args, {
      cwd: crateDir,
      env,
      onLine: (line) => void process.stdout.write(`${line}\n`),
      okExitCodes: "any",
    });
    if (exitCode !== 0) process.exitCode = 1;
  }
}
