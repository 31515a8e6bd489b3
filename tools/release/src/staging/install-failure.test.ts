import { expect, test } from "vitest";
import { describeInstallFailure } from "./install-failure.ts";

const registry = "https://npm.corp.test/ (through the proxy http://proxy.test:8080)";

test.each(["ERR_PNPM_OUTDATED_LOCKFILE", "ERR_PNPM_NO_LOCKFILE", "ERR_PNPM_LOCKFILE_CONFIG_MISMATCH"])(
  "%s is mended in the workspace",
  (code) => {
    const cause = new Error(`pnpm install exited with code 1\nError: ${code}\n\n  × installing`);
    expect(describeInstallFailure(cause, registry)).toMatchObject({
      code: "CODEX_JS_RELEASE_LOCKFILE_STALE",
      exitCode: 2,
      message: expect.stringContaining(code),
      hint: "pnpm install",
      cause,
    });
  },
);

test("anything else names the registry and the way to it", () => {
  const cause = new Error("pnpm install exited with code 1\nconnection refused");
  expect(describeInstallFailure(cause, registry)).toMatchObject({
    code: "CODEX_JS_RELEASE_INSTALL_FAILED",
    exitCode: 3,
    message: `packages from ${registry} could not be installed in the staging copy\nconnection refused`,
    hint: expect.stringContaining(registry),
    cause,
  });
});
