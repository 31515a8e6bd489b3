import { expect, test } from "vitest";
import { exitCodes, formatError, registerSecret, ToolError, toErrorDocument } from "./index.ts";

test("a secret of two lines is blotted out of a cause that is cut to its first line", () => {
  const secret = "plain-words\nand-more";
  registerSecret(secret);
  const error = new ToolError({
    code: "CODEX_JS_TEST_BROKEN",
    message: "it failed",
    exitCode: exitCodes.external,
    cause: new Error(`Headers.append: "${secret}" is an invalid header value`),
  });
  expect(formatError(error)).toBe(
    'error: it failed (CODEX_JS_TEST_BROKEN)\n  caused by: Headers.append: "***" is an invalid header value',
  );
});

test("as JSON an error has its code, message and hint, without secrets", () => {
  registerSecret("hunter2-as-json");
  const make = (hint?: string) =>
    toErrorDocument(
      new ToolError({
        code: "CODEX_JS_TEST_BROKEN",
        message: "it failed with hunter2-as-json",
        ...(hint === undefined ? {} : { hint }),
        exitCode: exitCodes.external,
      }),
    );
  const error = { code: "CODEX_JS_TEST_BROKEN", message: "it failed with ***" };
  expect([make("drop hunter2-as-json"), make()]).toEqual([
    { version: 1, error: { ...error, hint: "drop ***" } },
    { version: 1, error: { ...error, hint: null } },
  ]);
});
