import { expect, test } from "vitest";
import { parsePackageVersion } from "./package-version.ts";

test.each([
  ["@codex-js/sdk@1.2.3", "@codex-js/sdk", "1.2.3"],
  ["npm@12.0.0", "npm", "12.0.0"],
  ["@a/b@1.0.0-rc.1", "@a/b", "1.0.0-rc.1"],
])("%s", (text, name, version) => {
  expect(parsePackageVersion(text)).toEqual({ name, version });
});

test.each(["@codex-js/sdk", "@codex-js/sdk@latest", "a@^1.0.0", "a@1.0", "", "../a@1.0.0", "a@1.0.0 --flag"])(
  "%j is a usage error",
  (text) => {
    expect(() => parsePackageVersion(text)).toThrow(
      expect.objectContaining({ code: "CODEX_JS_SMOKE_BAD_PACKAGE", exitCode: 2 }),
    );
  },
);
