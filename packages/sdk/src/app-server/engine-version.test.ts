import { expect, test } from "vitest";
import { checkEngineVersion, readEngineVersion } from "./engine-version.ts";

const userAgent = "codex_js/0.171.0 (Debian 12.0.0; x86_64) xterm (codex_js; 1.2.3)";

test("the version is the engine's, not the client's", () => {
  expect(readEngineVersion(userAgent)).toBe("0.171.0");
  expect(readEngineVersion("nobody")).toBeUndefined();
});

test.each([
  [userAgent, undefined],
  [userAgent, "0.171.0"],
  [userAgent, "0.99.9"],
  ["x/0.172.0-alpha.3 (y)", "0.172.0"],
  ["x/0.0.0 (built from source)", "0.171.0"],
])("%s will do where %s is asked for", (agent, minimum) => {
  expect(() => checkEngineVersion(agent, minimum)).not.toThrow();
});

test.each([
  [userAgent, "0.171.1", "version 0.171.0, at least 0.171.1"],
  [userAgent, "1.0.0", "version 0.171.0, at least 1.0.0"],
  ["nobody", "0.1.0", "version unknown (nobody), at least 0.1.0"],
])("%s will not do where %s is asked for", (agent, minimum, message) => {
  expect(() => checkEngineVersion(agent, minimum)).toThrow(message);
});
