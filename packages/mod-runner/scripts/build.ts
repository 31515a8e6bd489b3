import { chmod, copyFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { checkImports } from "./check-imports.ts";
import { rollDeclarations, rollJavaScript } from "./roll.ts";

const packageDir = join(import.meta.dirname, "..");
const distDir = join(packageDir, "dist");

await rm(distDir, { recursive: true, force: true });
await mkdir(distDir);
await Promise.all([
  copyFile(join(packageDir, "types/mod.d.ts"), join(distDir, "mod.d.ts")),
  copyFile(join(packageDir, "types/realm.d.ts"), join(distDir, "realm.d.ts")),
  copyFile(join(packageDir, "src/manifest/mod.schema.json"), join(distDir, "mod.schema.json")),
]);
const rolled = await Promise.all([
  rollJavaScript(packageDir, "src/index.ts", join(distDir, "index.js")),
  rollJavaScript(packageDir, "src/authoring/cli.ts", join(distDir, "codex-js-mod.js")),
  rollDeclarations(packageDir, join(distDir, "index.d.ts")),
]);
await chmod(join(distDir, "codex-js-mod.js"), 0o755);

const problems = rolled.flatMap(({ name, code }) => checkImports(name, code));
for (const { name, code } of rolled) {
  process.stdout.write(`dist/${name}: ${Buffer.byteLength(code)} bytes\n`);
}
for (const problem of problems) process.stderr.write(`error: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
