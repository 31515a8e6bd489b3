import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { GenerateError, generateProtocol } from "./generate-protocol.ts";

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)));
const manifest = createRequire(import.meta.url).resolve("@openai/codex/package.json");
const { version, bin } = JSON.parse(readFileSync(manifest, "utf8")) as {
  version: string;
  bin: { codex: string };
};

try {
  const { engine, files } = await generateProtocol({
    launcher: join(dirname(manifest), bin.codex),
    pinnedVersion: version,
    outDir: join(packageDir, "generated"),
    // Ignored by git and on the same disk as `generated`.
    stagingDir: join(packageDir, "node_modules", `.generate-${process.pid}`),
  });
  process.stdout.write(`${files} files from engine ${engine}\n`);
} catch (error) {
  if (!(error instanceof GenerateError)) throw error;
  process.stderr.write(`error: ${error.message} (${error.code})\n  fix: ${error.hint}\n`);
  process.exitCode = 3;
}
