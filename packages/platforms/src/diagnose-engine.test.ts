import { join } from "node:path";
import { expect, test } from "vitest";
import { diagnoseEngine } from "./diagnose-engine.ts";
import { EngineNotFoundError } from "./engine-error.ts";
import { locateEngine } from "./locate-engine.ts";
import type { Host } from "./targets.ts";
import {
  createTempDir,
  writeEnginePackage,
  writeFiles,
  writePlatformPackage,
} from "./testing/fake-install.ts";
import { createElf } from "./testing/fake-program.ts";

const linux: Host = { platform: "linux", arch: "x64" };
const macArm: Host = { platform: "darwin", arch: "arm64" };
const macIntel: Host = { platform: "darwin", arch: "x64" };

/** A project with `asking` installed by npm; `files` are added to the project. */
function createProject(files: Record<string, string> = {}) {
  const root = createTempDir();
  writeFiles(root, {
    "package.json": "{}",
    "node_modules/.package-lock.json": "{}",
    "node_modules/asking/package.json": JSON.stringify({ name: "asking" }),
    ...files,
  });
  return { root, nodeModules: join(root, "node_modules"), from: join(root, "node_modules/asking/index.js") };
}

function diagnose(from: string, host: Host, env: NodeJS.ProcessEnv = {}) {
  const { code, message, hint } = diagnoseEngine(from, host, env);
  return { code, message, hint };
}

test("a platform that has no engine", () => {
  const { from } = createProject();
  expect(diagnose(from, { platform: "freebsd", arch: "x64" })).toEqual({
    code: "CODEX_JS_ENGINE_PLATFORM_UNSUPPORTED",
    message:
      "there is no Codex engine for freebsd x64; it exists for linux x64, linux arm64, darwin x64, darwin arm64, win32 x64, win32 arm64",
    hint: "run it on one of those platforms, for example in a container or a virtual machine",
  });
  expect(diagnose(from, { platform: "win32", arch: "ia32" }).hint).toContain("64-bit build of Node.js");
});

test("the engine's package is not there", () => {
  expect(diagnose(createProject().from, linux)).toEqual({
    code: "CODEX_JS_ENGINE_PACKAGE_MISSING",
    message: "the package @openai/codex is not installed, though asking depends on it",
    hint: "delete node_modules, then run: npm install",
  });
});

test("optional dependencies were left out", () => {
  const { from, nodeModules } = createProject();
  writeEnginePackage(nodeModules);
  expect(diagnose(from, linux)).toEqual({
    code: "CODEX_JS_ENGINE_OPTIONAL_OMITTED",
    message:
      "the package @openai/codex-linux-x64 is not installed: optional dependencies were left out, or it could not be downloaded at the time",
    hint: "run: npm install --include=optional",
  });
});

test("the setting that left them out is named", () => {
  const { root, from, nodeModules } = createProject({ ".npmrc": "omit=optional\n" });
  writeEnginePackage(nodeModules);
  expect(diagnose(from, linux, { npm_config_omit: "optional" }).hint).toBe(
    `remove "omit=optional" from ${join(root, ".npmrc")}, then run: npm install --include=optional`,
  );
});

// esbuild#2617 and its like: node_modules copied from, or shared with, another machine.
test("node_modules was made on another platform", () => {
  const { from, nodeModules } = createProject();
  writeEnginePackage(nodeModules);
  writePlatformPackage(nodeModules, { host: macArm });
  expect(diagnose(from, linux)).toEqual({
    code: "CODEX_JS_ENGINE_OTHER_PLATFORM",
    message:
      "node_modules was made on another platform: @openai/codex-darwin-arm64 is installed, and this machine (linux x64) needs @openai/codex-linux-x64",
    hint: "delete node_modules, then run: npm install; where several platforms share one node_modules, use npm install --no-save --os=linux --cpu=x64",
  });
});

test("another processor of the same system counts as another platform", () => {
  const { from, nodeModules } = createProject();
  writeEnginePackage(nodeModules);
  writePlatformPackage(nodeModules, { host: { platform: "win32", arch: "arm64" } });
  expect(diagnose(from, { platform: "win32", arch: "x64" }).code).toBe("CODEX_JS_ENGINE_OTHER_PLATFORM");
});

// npm/cli#4828: such a lock file never brings the package, however often one installs.
test("the lock file was made on another platform", () => {
  const { from, nodeModules } = createProject({
    "package-lock.json": JSON.stringify({
      packages: {
        "node_modules/@openai/codex": { optionalDependencies: { "@openai/codex-linux-x64": "1.2.3" } },
        "node_modules/@openai/codex-darwin-arm64": {},
      },
    }),
  });
  writeEnginePackage(nodeModules);
  expect(diagnose(from, linux)).toEqual({
    code: "CODEX_JS_ENGINE_LOCKFILE_INCOMPLETE",
    message:
      "package-lock.json was made on another platform and does not list @openai/codex-linux-x64, so npm does not install it",
    hint: "delete node_modules and package-lock.json, then run: npm install",
  });
});

test.each([
  [macIntel, macArm, "use the arm64 build of Node.js"],
  [macArm, macIntel, "with this Node.js, delete node_modules, then run: npm install"],
])("Rosetta: $arch Node.js, other engine", (host, installed, remedy) => {
  const { from, nodeModules } = createProject();
  writeEnginePackage(nodeModules);
  writePlatformPackage(nodeModules, { host: installed });
  const { code, message, hint } = diagnose(from, host);
  expect(code).toBe("CODEX_JS_ENGINE_ROSETTA");
  expect(message).toContain(`this Node.js is a darwin ${host.arch} build`);
  expect(message).toContain(`@openai/codex-darwin-${installed.arch} is installed`);
  expect(hint).toContain(remedy);
});

// openai/codex-action#158: the new platform package was not visible yet, and npm installed without it.
test("an older engine's platform package higher up does not stand in", () => {
  const { root, nodeModules } = createProject();
  writePlatformPackage(nodeModules, { host: linux });
  const inner = join(nodeModules, "asking", "node_modules");
  writeEnginePackage(inner, "1.3.0");
  const from = join(nodeModules, "asking", "index.js");
  expect(() => locateEngine(from, linux)).toThrow(EngineNotFoundError);
  expect(diagnose(from, linux)).toEqual({
    code: "CODEX_JS_ENGINE_VERSION_MISMATCH",
    message: `the engine is 1.3.0, but the only @openai/codex-linux-x64 within reach is 1.2.3-fake: ${join(root, "node_modules/@openai/codex-linux-x64")}`,
    hint: "delete node_modules, then run: npm install",
  });
});

test("the platform package has lost its binary", () => {
  const { from, nodeModules } = createProject();
  writeEnginePackage(nodeModules);
  const path = writePlatformPackage(nodeModules, { host: linux, binary: undefined });
  expect(diagnose(from, linux)).toEqual({
    code: "CODEX_JS_ENGINE_BINARY_MISSING",
    message: `the package @openai/codex-linux-x64 is installed, but its binary is not there: ${path}`,
    hint: "delete node_modules, then run: npm install; if it disappears again, an antivirus program may be removing it",
  });
});

test("the binary is something else", () => {
  const { from, nodeModules } = createProject();
  writeEnginePackage(nodeModules);
  const path = writePlatformPackage(nodeModules, { host: linux, binary: "Not Found" });
  expect(diagnose(from, linux)).toEqual({
    code: "CODEX_JS_ENGINE_BINARY_DAMAGED",
    message: `the engine's binary is no program, or only the beginning of one (9 bytes): ${path}`,
    hint: "delete node_modules, then run: npm install",
  });
});

test("the binary is for another processor", () => {
  const { from, nodeModules } = createProject();
  writeEnginePackage(nodeModules);
  const path = writePlatformPackage(nodeModules, { host: linux, binary: createElf(183) });
  expect(() => locateEngine(from, linux)).toThrow(EngineNotFoundError);
  expect(diagnose(from, linux)).toEqual({
    code: "CODEX_JS_ENGINE_OTHER_PLATFORM",
    message: `the engine's binary is a program for another platform than this machine's (linux x64): ${path}`,
    hint: "delete node_modules, then run: npm install",
  });
});

test.each([5000, 50])("the binary is cut off after %i bytes", (length) => {
  const { from, nodeModules } = createProject();
  writeEnginePackage(nodeModules);
  const binary = createElf(62).subarray(0, length);
  const path = writePlatformPackage(nodeModules, { host: linux, binary });
  expect(() => locateEngine(from, linux)).toThrow(EngineNotFoundError);
  expect(diagnose(from, linux)).toEqual({
    code: "CODEX_JS_ENGINE_BINARY_DAMAGED",
    message: `the engine's binary is no program, or only the beginning of one (${length} bytes): ${path}`,
    hint: "delete node_modules, then run: npm install",
  });
});

test.skipIf(process.platform === "win32")("the binary has no execute bit (Windows knows none)", () => {
  const { from, nodeModules } = createProject();
  writeEnginePackage(nodeModules);
  const path = writePlatformPackage(nodeModules, { host: linux, mode: 0o644 });
  expect(diagnose(from, linux)).toEqual({
    code: "CODEX_JS_ENGINE_NOT_EXECUTABLE",
    message: `the engine's binary may not be executed (EACCES): ${path}`,
    hint: `run: chmod +x "${path}"`,
  });
});

test.each([
  ["app.asar", /asarUnpack/],
  ["codex.zip", /yarn unplug/],
])("the binary lies inside %s", (archive, remedy) => {
  const nodeModules = join(createTempDir(), archive, "node_modules");
  writeEnginePackage(nodeModules);
  writePlatformPackage(nodeModules, { host: linux });
  const { code, hint } = diagnose(join(nodeModules, "asking", "index.js"), linux);
  expect(code).toBe("CODEX_JS_ENGINE_INSIDE_ARCHIVE");
  expect(hint).toMatch(remedy);
});

test("locateEngine throws the diagnosis", () => {
  const { from, nodeModules } = createProject();
  writeEnginePackage(nodeModules);
  expect(() => locateEngine(from, macArm)).toThrow(EngineNotFoundError);
});
