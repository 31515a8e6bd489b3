import { tmpdir } from "node:os";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { explainInstallFailure } from "./install-failure.ts";

const failWith = (output: string) =>
  new ToolError({
    code: "CODEX_JS_PROCESS_FAILED",
    message: `npm install exited with code 1\n${output}`,
    exitCode: exitCodes.external,
  });
const explain = (error: unknown) =>
  explainInstallFailure(error, { registryUrl: "http://127.0.0.1:4873", dirs: [tmpdir()] });

test.each([
  "npm error code E500\nnpm error 500 Internal Server Error",
  "npm error code E401\nnpm error Incorrect or missing password.",
  "npm error code E502\nnpm error the uplink did not deliver x",
  "npm error code ECONNREFUSED\nnpm error connect",
  "npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error self-signed",
  "error: GET http://127.0.0.1:4873/x - 502",
  "error: ConnectionRefused downloading package manifest x",
])("%j is the registry's fault", async (output) => {
  expect(await explain(failWith(output))).toMatchObject({
    code: "CODEX_JS_SMOKE_REGISTRY_FAILED",
    exitCode: 3,
    message: `http://127.0.0.1:4873 did not deliver what was to be installed\n${output}`,
  });
});

test("a full disk is named", async () => {
  expect(await explain(failWith("npm error code ENOSPC"))).toMatchObject({
    code: "CODEX_JS_SMOKE_DISK_FULL",
    message: expect.stringContaining(tmpdir()),
  });
});

test.each([
  failWith("npm error code E404\nnpm error 404 Not Found"),
  failWith("npm error code ERESOLVE\nnpm error could not resolve"),
  failWith("error: GET http://127.0.0.1:4873/x - 404"),
  new Error("anything else"),
])("%s stays what it is", async (error) => {
  expect(await explain(error)).toBe(error);
});
