import { findWorkspaceRoot } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { findLinter, linters, runLinter } from "./linters.ts";

const root = findWorkspaceRoot(import.meta.dirname);
const installed = await Promise.all(
  linters.map(async (linter) => ({ linter, file: await findLinter(root, linter) })),
);

// Brought by `pnpm workflow linters`; where they are not to be had, this counts as skipped.
for (const { linter, file } of installed) {
  test.skipIf(file === undefined)(
    `${linter.name} ${linter.version} finds nothing in the workflows`,
    async () => {
      const { signal } = new AbortController();
      expect(await runLinter(file!, linter, { root, env: process.env, signal })).toBe("");
    },
  );
}
