import { rm } from "node:fs/promises";
import { join } from "node:path";
import { checkEngineOfProtocol, checkImports } from "./checks.ts";
import { rollDeclarations, rollJavaScript } from "./roll.ts";

const packageDir = join(import.meta.dirname, "..");
const distDir = join(packageDir, "dist");
// Not published: parts that the benchmarks measure alone, which see packages only as built.
const benchDir = join(packageDir, "dist-bench");

const problems = checkEngineOfProtocol();
if (problems.length === 0) {
  await Promise.all([distDir, benchDir].map((dir) => rm(dir, { recursive: true, force: true })));
  const files = await Promise.all([
    rollJavaScript(packageDir, "src/index.ts", "dist/index.js"),
    rollJavaScript(packageDir, "src/framing.ts", "dist-bench/framing.js"),
    rollDeclarations(packageDir, distDir),
  ]);
  for (const { name, code } of files) {
    problems.push(...checkImports(name, code));
    process.stdout.write(`${name}: ${Buffer.byteLength(code)} bytes\n`);
  }
}
for (const problem of problems) process.stderr.write(`error: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
