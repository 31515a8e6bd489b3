import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { runRelease } from "./run-cli.ts";

test.each([[["announce", "--json"]], [["--json", "--to", "nmp"]]])(
  "%j: an error before there is a result is the one JSON document",
  (args) =>
    withTempDir("codex-js-json-errors", async (dir) => {
      writeFileSync(join(dir, "pnpm-workspace.yaml"), "packages: []\n");
      const { exitCode, stdout, stderr } = await runRelease(dir, args);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining("CODEX_JS_RELEASE_BAD_TARGET")]);
      expect(JSON.parse(stdout)).toEqual({
        version: 1,
        error: {
          code: "CODEX_JS_RELEASE_BAD_TARGET",
          message: expect.any(String),
          hint: expect.any(String),
        },
      });
    }),
);
