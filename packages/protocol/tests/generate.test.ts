import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { generateProtocol } from "../scripts/generate-protocol.ts";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const packageDir = dirname(dirname(fileURLToPath(import.meta.url)));
const engineManifest = require.resolve("@openai/codex/package.json");
const pinnedVersion: string = require(engineManifest).version;
const launcher = join(dirname(engineManifest), "bin", "codex.js");

let dir: string;
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), "codex-js-protocol-")));
});
afterEach(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));

const options = () => ({
  launcher,
  pinnedVersion,
  outDir: join(dir, "generated"),
  stagingDir: join(dir, "staging"),
});

test("the generated folder is the pinned engine's", async () => {
  const by = JSON.parse(await readFile(join(packageDir, "generated", "engine.json"), "utf8"));
  expect(by).toEqual({ engine: pinnedVersion, files: expect.any(Number) });
});

test("the index and everything it reaches type-check against a fresh generation", async () => {
  const by = await generateProtocol(options());
  await cp(join(packageDir, "src"), join(dir, "src"), { recursive: true });
  const { compilerOptions } = JSON.parse(
    await readFile(join(packageDir, "../../tsconfig.base.json"), "utf8"),
  ) as { compilerOptions: object };
  const tsconfig = {
    compilerOptions: { ...compilerOptions, module: "preserve", moduleResolution: "bundler", types: [] },
    // The index file of each folder reaches every type there is.
    include: ["src", "generated/index.ts"],
  };
  await writeFile(join(dir, "tsconfig.json"), JSON.stringify(tsconfig));
  const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
  const { stdout } = await run(process.execPath, [tsc, "-p", dir, "--listFilesOnly"]);
  await run(process.execPath, [tsc, "-p", dir]);
  const checked = stdout.split("\n").filter((file) => file.startsWith(`${dir}/generated/`));
  expect(checked.length).toBe(by.files);
});

test("an engine that fails leaves the old folder and nothing else", async () => {
  const { outDir } = options();
  await mkdir(outDir);
  await writeFile(join(outDir, "old.ts"), "");
  const broken = join(dir, "broken.mjs");
  await writeFile(
    broken,
    `if (process.argv[2] === "--version") console.log("codex-cli ${pinnedVersion}");
     else { console.error("no space left on device"); process.exitCode = 1; }`,
  );
  await expect(generateProtocol({ ...options(), launcher: broken })).rejects.toMatchObject({
    code: "CODEX_JS_PROTOCOL_ENGINE_FAILED",
    message: expect.stringContaining("no space left on device"),
    hint: expect.stringContaining("pnpm install"),
  });
  expect([await readdir(outDir), (await readdir(dir)).sort()]).toEqual([
    ["old.ts"],
    ["broken.mjs", "generated"],
  ]);
});

test("an engine of another version is refused before it writes anything", async () => {
  await expect(generateProtocol({ ...options(), pinnedVersion: "0.0.1" })).rejects.toMatchObject({
    code: "CODEX_JS_PROTOCOL_ENGINE_VERSION",
    message: `the engine says it is version ${pinnedVersion}, its package says 0.0.1`,
  });
  expect(await readdir(dir)).toEqual([]);
});
