import { join } from "node:path";
import { runNode, withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";

const cli = join(import.meta.dirname, "..", "src", "cli.ts");

async function runSmokeCli(
  ...args: string[]
): Promise<{ exitCode: number | null; stderr: string; stdout: string }> {
  return withTempDir("codex-js-smoke-cli", async (dir) =>
    runNode(cli, [...args, "--cache-dir", dir], { cwd: dir, env: process.env, okExitCodes: "any" }),
  );
}

test.each([
  [2, ["--package", "a@1.0.0"], "--registry"],
  [2, ["--registry", "http://127.0.0.1:1", "--package", "a@latest"], "CODEX_JS_SMOKE_BAD_PACKAGE"],
  [
    2,
    ["--registry", "http://127.0.0.1:1", "--package", "a@1.0.0", "--runtime", "deno"],
    "CODEX_JS_SMOKE_UNKNOWN_RUNTIME",
  ],
  [2, ["--registry", "http://127.0.0.1:1", "--package", "a@1.0.0", "--runtimes", "bun"], "--runtime"],
  [3, ["--registry", "http://127.0.0.1:1", "--package", "a@1.0.0"], "CODEX_JS_SMOKE_REGISTRY_FAILED"],
] as const)("exits %i for %j", async (exitCode, args, shown) => {
  const result = await runSmokeCli(...args);
  expect([result.exitCode, result.stdout]).toEqual([exitCode, ""]);
  expect(result.stderr).toContain(shown);
});
