import { rm } from "node:fs/promises";
import { join } from "node:path";
import { checkEngineOfProtocol, checkImports } from "./checks.ts";
import { rollDeclarations, rollJavaScript } from "./roll.ts";

const packageDir = join(import.meta.dirname, "..");
const distDir = join(packageDir, "dist");

const problems = checkEngineOfProtocol();
if (problems.length === 0) {
  await rm(distDir, { recursive: true, force: true });
  const files = await Promise.all([
    rollJavaScript(packageDir, distDir),
    rollDeclarations(packageDir, distDir),
  ]);
  for (const { name, code } of files) {
    problems.push(...checkImports(name, code));
    process.stdout.write(`dist/${name}: ${Buffer.byteLength(code)} bytes\n`);
  }
}
for (const problem of problems) process.stderr.write(`error: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
