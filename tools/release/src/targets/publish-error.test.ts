import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { PublishError, readNpmCode } from "./publish-error.ts";

const failWith = (output: string) =>
  new PublishError(
    { name: "a", version: "1.0.0", tarballFile: "/a.tgz", tag: "latest" },
    new ToolError({ code: "CODEX_JS_PROCESS_FAILED", message: output, exitCode: exitCodes.external }),
  );

test("npm's code and its own lines are taken from its output", () => {
  const output = "npm publish exited with code 1\nnpm error code E409\nnpm error why";
  expect(failWith(output)).toMatchObject({
    npmCode: "E409",
    said: "npm error why",
    message: "npm could not publish a@1.0.0 (E409)\nnpm error why",
  });
});

test("output without a code is shown as it is", () => {
  expect(readNpmCode("killed")).toBe("");
  expect(failWith("killed")).toMatchObject({ npmCode: "", said: "killed" });
});
