import { join } from "node:path";
import { createTempDir, linkDir, writeFiles } from "@codex-js/platforms/testing";
import { expect, test } from "vitest";
import { detectPackageManager } from "./package-manager.ts";

const name = "@codex-js/cli";

function createInstall(...path: string[]) {
  const dir = createTempDir();
  const root = join(dir, ...path);
  writeFiles(root, { "package.json": "{}" });
  return { dir, install: { name, root, entryPath: join(root, "dist", "codex.js") } };
}

test("pnpm: the metadata of the node_modules that links to this package", () => {
  const { dir, install } = createInstall("store", "v11", "links", "cli", "node_modules", name);
  writeFiles(join(dir, "project"), { "node_modules/.modules.yaml": "" });
  const link = join(dir, "project", "node_modules", name);
  linkDir(install.root, link);
  const entryPath = join(link, "dist", "codex.js");
  expect(detectPackageManager({ ...install, entryPath }, {})).toBe("pnpm");
});

test("pnpm: the virtual store, even as a dependency of a dependency", () => {
  const { install } = createInstall("node_modules", ".pnpm", "cli@1.0.0", "node_modules", name);
  expect(detectPackageManager(install, {})).toBe("pnpm");
});

test("a node_modules by pnpm that does not hold this package proves nothing", () => {
  const { dir, install } = createInstall("tools", "lib", "node_modules", name);
  writeFiles(dir, { "node_modules/.modules.yaml": "" });
  expect(detectPackageManager(install, { npm_config_user_agent: "pnpm/12.0.0" })).toBe("npm");
});

test.each([
  ["packages/@codex-js/cli/node_modules", {}],
  ["packages/@codex-js/cli#abc/lib/node_modules", { installId: "#abc" }],
  ["packages/@codex-js/cli/abc/node_modules", { installId: "abc" }],
])("Vite+: %s", (path, metadata) => {
  const { dir, install } = createInstall(path, name);
  writeFiles(dir, { "packages/@codex-js/cli.json": JSON.stringify({ name, ...metadata }) });
  expect(detectPackageManager(install, {})).toBe("vite-plus");
});

test.each(["", "{", "{}", JSON.stringify({ name, installId: 7 })])(
  "Vite+ metadata %j is passed over",
  (text) => {
    const { dir, install } = createInstall("packages", "other", "node_modules", name);
    writeFiles(dir, { "packages/@codex-js/cli.json": text });
    expect(detectPackageManager(install, {})).toBe("npm");
  },
);

test("Bun: its global folder", () => {
  const { install } = createInstall(".bun", "install", "global", "node_modules", name);
  expect(detectPackageManager(install, {})).toBe("bun");
});

test.each([
  [{ npm_config_user_agent: "bun/1.4.5 npm/? node/v24.3.0 linux x64" }, "bun"],
  [{ npm_execpath: "/home/me/.bun/bin/bun" }, "bun"],
  [{ npm_config_user_agent: "npm/11.0.0 node/v24.0.0 linux x64" }, "npm"],
  // A user by that name is not the program.
  [{ npm_execpath: "/home/bun/lib/node_modules/npm/bin/npm-cli.js" }, "npm"],
  [{}, "npm"],
])("without evidence on disk, %j means %s", (env, expected) => {
  const { install } = createInstall("lib", "node_modules", name);
  expect(detectPackageManager(install, env)).toBe(expected);
});
