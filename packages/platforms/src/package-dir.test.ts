import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { findPackageDir } from "./package-dir.ts";
import { createTempDir, writeFiles } from "./testing/fake-install.ts";

test("takes the nearest node_modules, from a path and from a URL", () => {
  const root = createTempDir();
  writeFiles(root, { "node_modules/it/package.json": "{}", "a/node_modules/it/package.json": "{}" });
  const near = join(root, "a", "node_modules", "it");
  expect([
    findPackageDir(join(root, "a", "b", "x.js"), "it"),
    findPackageDir(pathToFileURL(join(root, "a", "x.js")), "it"),
    findPackageDir(pathToFileURL(join(root, "x.js")).href, "it"),
    findPackageDir(join(root, "x.js"), "other"),
  ]).toEqual([near, near, join(root, "node_modules", "it"), undefined]);
});

test("NODE_PATH of another project is not searched", () => {
  const root = createTempDir();
  writeFiles(root, { "other/it/package.json": "{}" });
  const script = `
    import { findPackageDir } from ${JSON.stringify(new URL("package-dir.ts", import.meta.url).href)};
    import { createRequire } from "node:module";
    const from = ${JSON.stringify(join(root, "x.js"))};
    console.log(createRequire(from).resolve("it/package.json") !== "", findPackageDir(from, "it"));`;
  const env = { ...process.env, NODE_PATH: join(root, "other") };
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { env });
  expect(output.toString().trim()).toBe("true undefined");
});
