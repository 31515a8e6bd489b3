// Builds the native program for this machine into dist/ID, and leaves in dist/state.json whether it did.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runProcess } from "@codex-js/cli-kit";
import { decideBuild, isToldAlready, type NativeState } from "./decide-build.ts";

const packageDir = join(import.meta.dirname, "..");
const distDir = join(packageDir, "dist");
const ciTool = join(packageDir, "../../../tools/ci/src/cli.ts");

async function build(): Promise<NativeState> {
  const reason = decideBuild(process.env);
  if (reason !== undefined) return { version: 1, status: "left-out", reason };
  const args = [ciTool, "native", "--output-parent", distDir, "--json"];
  const { stdout } = await runProcess(process.execPath, args, {
    cwd: packageDir,
    env: process.env,
    onLine: (line) => void process.stderr.write(`${line}\n`),
  });
  const { target } = JSON.parse(stdout) as { target: string };
  return { version: 1, status: "built", target };
}

await rm(distDir, { recursive: true, force: true });
await mkdir(distDir);
const state = await build();
await writeFile(join(distDir, "state.json"), `${JSON.stringify(state, null, 2)}\n`);
if (state.status === "built") process.stdout.write(`built for ${state.target}\n`);
else if (!isToldAlready(process.env)) process.stdout.write(`left out: ${state.reason}\n`);
