import { tmpdir } from "node:os";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { explainFailure } from "./explain-failure.ts";

const failed = (message: string, cause?: unknown) =>
  new ToolError({ code: "CODEX_JS_PROCESS_FAILED", message, exitCode: exitCodes.external, cause });

test.each([
  ["of this process", Object.assign(new Error("write"), { code: "ENOSPC" })],
  ["in the output of a child", failed("npm error ENOSPC: no space left on device, write")],
  [
    "in output that was wrapped",
    failed(
      "pnpm install exited with code 1\n  × failed to write: No space left\n      on device (os error 28)",
    ),
  ],
  [
    "among the causes",
    failed("could not pack", failed("tar", new Error("No space left on device (os error 28)"))),
  ],
])("a full disk %s names a folder and what to do", async (_, error) => {
  expect(await explainFailure(error, tmpdir())).toMatchObject({
    code: "CODEX_JS_RELEASE_DISK_FULL",
    exitCode: 3,
    message: expect.stringContaining(tmpdir()),
    hint: expect.stringContaining("free space there"),
  });
});

test("a disk that the smokes found full keeps the folder that they named", async () => {
  const message = "not enough space on the disk of /small: 900.0 MB wanted, 200.0 MB free";
  const error = new ToolError({ code: "CODEX_JS_SMOKE_DISK_FULL", message, exitCode: exitCodes.external });
  expect(await explainFailure(error, tmpdir())).toMatchObject({
    code: "CODEX_JS_RELEASE_DISK_FULL",
    exitCode: 3,
    message,
    hint: expect.stringContaining("TMPDIR"),
  });
});

test("any other error stays what it is", async () => {
  const error = failed("exited with code 1");
  expect(await explainFailure(error, tmpdir())).toBe(error);
});
