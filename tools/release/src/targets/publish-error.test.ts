import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { PublishError, readNpmCode } from "./publish-error.ts";

const failWith = (output: string) =>
  new PublishError(
    { name: "a", version: "1.0.0", tarballFile: "/a.tgz", tag: "latest" },
    new ToolError({ code: "CODEX_JS_PROCESS_FAILED", message: output, exitCode: exitCodes.external }),
  );

test.each([
  ["E500", true],
  ["E409", true],
  ["ECONNRESET", true],
  ["E403", false],
  ["E404", false],
  ["ENEEDAUTH", false],
])("%s is worth another attempt: %s", (code, passing) => {
  expect(failWith(`npm publish exited with code 1\nnpm error code ${code}\nnpm error why`)).toMatchObject({
    npmCode: code,
    passing,
    message: `npm could not publish a@1.0.0 (${code})\nnpm error why`,
  });
});

test("output without a code is shown as it is and not repeated", () => {
  expect(readNpmCode("killed")).toBe("");
  expect(failWith("killed")).toMatchObject({ passing: false, message: expect.stringContaining("\nkilled") });
});
