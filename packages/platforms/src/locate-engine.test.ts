import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { locateEngine } from "./locate-engine.ts";
import type { Host } from "./targets.ts";
import {
  createTempDir,
  linkDir,
  writeEnginePackage,
  writePlatformPackage,
  writeVendor,
} from "./testing/fake-install.ts";

const linux: Host = { platform: "linux", arch: "x64" };

/** A flat `node_modules` and the module in it that asks. */
function createFlatInstall() {
  const nodeModules = join(createTempDir(), "node_modules");
  return { nodeModules, from: pathToFileURL(join(nodeModules, "asking", "index.js")).href };
}

test.each<Host>([
  linux,
  { platform: "android", arch: "arm64" },
  { platform: "darwin", arch: "arm64" },
  { platform: "win32", arch: "x64" },
])("finds binary, tools and version on $platform $arch", (host) => {
  const { nodeModules, from } = createFlatInstall();
  const packageRoot = writeEnginePackage(nodeModules);
  const executablePath = writePlatformPackage(nodeModules, { host });
  const { triple, ...location } = locateEngine(from, host);
  expect(location).toEqual({
    executablePath,
    pathDirs: [join(executablePath, "..", "..", "codex-path")],
    packageRoot,
    version: "1.2.3",
  });
  expect(executablePath).toContain(triple);
});

test("finds the older layout, with its tools in path/", () => {
  const { nodeModules, from } = createFlatInstall();
  writeEnginePackage(nodeModules);
  const executablePath = writePlatformPackage(nodeModules, { host: linux, layout: "legacy" });
  expect(locateEngine(from, linux)).toMatchObject({
    executablePath,
    pathDirs: [join(executablePath, "..", "..", "path")],
    version: "1.2.3",
  });
});

test("finds binaries that the engine's own package carries", () => {
  const { nodeModules, from } = createFlatInstall();
  const packageRoot = writeEnginePackage(nodeModules);
  const executablePath = writeVendor(packageRoot, { host: linux });
  expect(locateEngine(from, linux).executablePath).toBe(executablePath);
});

test("finds the platform package where only the engine's package sees it, and gives real paths", () => {
  const root = createTempDir();
  const store = join(root, "node_modules", ".pnpm");
  const engineModules = join(store, "@openai+codex@1.2.3", "node_modules");
  const platformModules = join(store, "@openai+codex@1.2.3-linux-x64", "node_modules");
  const packageRoot = writeEnginePackage(engineModules);
  const executablePath = writePlatformPackage(platformModules, { host: linux });
  linkDir(
    join(platformModules, "@openai", "codex-linux-x64"),
    join(engineModules, "@openai", "codex-linux-x64"),
  );
  linkDir(packageRoot, join(root, "node_modules", "@openai", "codex"));
  expect(locateEngine(join(root, "index.js"), linux)).toMatchObject({ executablePath, packageRoot });
});

test("finds the engine that this repository pins, on the machine that runs the test", () => {
  const location = locateEngine(new URL("../../launcher/package.json", import.meta.url));
  expect(location).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    pathDirs: [expect.stringContaining(location.triple)],
  });
});
