import { expect, test } from "vitest";
import { exitCodes, formatError, registerSecret, ToolError } from "./index.ts";

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
