import { join } from "node:path";
import { expect, test } from "vitest";
import { readInstallation } from "./installation.ts";
import { describeIncludeOptional, describeReinstall } from "./remedies.ts";
import { createTempDir, writeFiles } from "./testing/fake-install.ts";

const asking = { "package.json": JSON.stringify({ name: "asking" }) };

test.each([
  ["node_modules/.package-lock.json", "npm"],
  ["node_modules/.modules.yaml", "pnpm"],
  ["node_modules/.yarn-state.yml", "yarn"],
  ["node_modules/.yarn-integrity", "yarn"],
  ["bun.lock", "bun"],
  ["yarn.lock", "yarn"],
])("%s tells of %s", (trace, manager) => {
  const root = createTempDir();
  writeFiles(root, { "package.json": "{}", [trace]: "" });
  writeFiles(join(root, "node_modules/asking"), asking);
  expect(readInstallation(join(root, "node_modules/asking/dist/index.js"), {})).toEqual({
    manager,
    isGlobal: false,
    root,
    packageName: "asking",
  });
});

test.each([
  ["node_modules/.pnpm/asking@1.0.0/node_modules/asking", "pnpm", false],
  ["pnpm/store/v11/links/@/asking/1.0.0/abc/node_modules/asking", "pnpm", true],
  ["pnpm/global/5/node_modules/asking", "npm", true],
  [".bun/install/global/node_modules/asking", "bun", true],
  ["node_modules/.bun/asking@1.0.0/node_modules/asking", "bun", false],
  ["lib/node_modules/asking", "npm", true],
])("%s: %s, global %s", (dir, manager, isGlobal) => {
  const root = createTempDir();
  writeFiles(root, { "package.json": "{}" });
  writeFiles(join(root, dir), asking);
  expect(readInstallation(join(root, dir, "index.js"), {})).toMatchObject({ manager, isGlobal });
});

test("without a trace on disk, the running package manager tells", () => {
  const root = createTempDir();
  writeFiles(join(root, "node_modules/asking"), asking);
  const env = { npm_config_user_agent: "bun/1.4.5 npm/? node/v24.3.0 linux x64" };
  expect(readInstallation(join(root, "node_modules/asking/index.js"), env).manager).toBe("bun");
});

test.each([
  ["npm", "npm install -g asking", "run: npm install --include=optional -g asking"],
  ["pnpm", "pnpm add -g asking", "run: pnpm add -g asking (without --no-optional)"],
  ["yarn", "yarn global add asking", "run: yarn global add asking (without --ignore-optional)"],
  ["bun", "bun add -g asking", "run: bun add -g asking (without --omit=optional)"],
] as const)("%s has its own commands", (manager, reinstall, include) => {
  const installation = { manager, isGlobal: true, root: "/", packageName: "asking" };
  expect(describeReinstall(installation)).toBe(`run: ${reinstall}`);
  expect(describeIncludeOptional(installation, undefined)).toBe(include);
});
