import type { CheckResult, RuntimeResult } from "@codex-js/smoke";
import { expect, test } from "vitest";
import { describeSmokeFailure } from "./smoke-failure.ts";

const failed = (name: string, more: Partial<CheckResult> = {}): CheckResult => ({
  name,
  status: "failed",
  durationMs: 1,
  message: `${name} went wrong`,
  ...more,
});

function describe(checks: CheckResult[][], undelivered: string[] = []) {
  const results = checks.map(
    (list, index): RuntimeResult => ({
      runtime: `node${index}`,
      runtimeVersion: "1.0.0",
      packageManager: "npm 1.0.0",
      ok: list.every(({ status }) => status !== "failed"),
      durationMs: 1,
      checks: list,
    }),
  );
  const rehearsal = { uplink: "https://npm.corp.test/", readUplinkFailures: () => undelivered };
  return describeSmokeFailure({ version: 1, results }, rehearsal);
}

const passed: CheckResult = { name: "install", status: "passed", durationMs: 1 };

test("nothing failed", () => {
  expect(describe([[passed], [passed]])).toBeUndefined();
});

test("a check that fetches nothing is the packages' fault, whatever else the registry did not deliver", () => {
  expect(describe([[passed, failed("sdk turn")]], ["the uplink did not deliver x"])).toMatchObject({
    code: "CODEX_JS_RELEASE_SMOKE_FAILED",
    exitCode: 1,
    message: expect.stringContaining("node0 sdk turn: sdk turn went wrong"),
  });
});

test.each([
  ["as the install says itself", { external: true } as const, []],
  ["as its uplink says", {}, ["the uplink did not deliver x", "the uplink did not deliver x"]],
])("an install that failed of the registry, %s, is named with it", (_, more, undelivered) => {
  const message = "install went wrong\n  fix: one of many";
  expect(describe([[passed], [failed("install", { ...more, message })]], undelivered)).toMatchObject({
    code: "CODEX_JS_RELEASE_UPLINK_FAILED",
    exitCode: 3,
    message: `https://npm.corp.test/, which npm is configured with, did not deliver what the smokes install\n${undelivered.length > 0 ? `  ${undelivered[0]}\n` : ""}  node1 install: install went wrong`,
    hint: expect.stringContaining("the same command works afterwards"),
  });
});

test("one runtime without a registry does not excuse another that does not work", () => {
  const checks = [[failed("runtime", { external: true })], [passed, failed("types")]];
  expect(describe(checks)).toMatchObject({ code: "CODEX_JS_RELEASE_SMOKE_FAILED", exitCode: 1 });
});

test("a full disk is no fault of the registry", () => {
  const code = "CODEX_JS_SMOKE_DISK_FULL";
  const message = `not enough space on the disk of /small: 1.0 MB free (${code})\n  fix: free space`;
  expect(describe([[failed("install", { external: true, code, message })]])).toMatchObject({
    code,
    exitCode: 3,
    message: "not enough space on the disk of /small: 1.0 MB free",
  });
});
