import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findWorkspaceRoot, runProcess } from "@codex-js/cli-kit";
import { expect, test } from "vitest";

const root = findWorkspaceRoot(import.meta.dirname);

/** Not after `pnpm exec`, which takes the Node of the catalog; nor a path such as `node_modules/.bin/node`. */
const bareNode = /(?<![\w/.]|exec )node [\w./-]+\.ts\b/g;

test("no document asks for a Node that runs TypeScript: Node 20 is enough for whoever follows it", async () => {
  const { stdout } = await runProcess("git", ["ls-files", "*.md"], { cwd: root, env: process.env });
  const files = stdout.trim().split("\n");
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(root, file), "utf8");
      return (text.match(bareNode) ?? []).map((command) => `${file}: ${command}`);
    }),
  );
  expect(files).toContain("README.md");
  expect(found.flat()).toEqual([]);
});
