import { delimiter } from "node:path";
import { expect, test } from "vitest";
import { createEnvironment } from "./environment.ts";

const path = (...entries: string[]) => entries.join(delimiter);
const originator = { CODEX_INTERNAL_ORIGINATOR_OVERRIDE: "codex_sdk_ts" };

test("inherits, and adds the key, the originator and the engine's tools", () => {
  const inherited = { HOME: "/h", GONE: undefined, PATH: path("/a", "", "/tools", "/b") };
  expect(createEnvironment({ apiKey: "k" }, ["/tools"], inherited, "linux")).toEqual({
    HOME: "/h",
    PATH: path("/tools", "/a", "/b"),
    CODEX_API_KEY: "k",
    ...originator,
  });
  expect(inherited.PATH).toBe(path("/a", "", "/tools", "/b"));
});

test("a given environment replaces the inherited one; an originator in it stays", () => {
  const env = { CODEX_INTERNAL_ORIGINATOR_OVERRIDE: "mine", Path: "/x" };
  expect(createEnvironment({ env }, [], { HOME: "/h" }, "linux")).toEqual(env);
  expect(createEnvironment({ env: {} }, ["/tools"], { PATH: "/a" }, "linux")).toEqual({
    PATH: "/tools",
    ...originator,
  });
});

test("Windows has one PATH, whatever its spelling", () => {
  const env = { PATH: "/1", path: "/2" };
  expect(createEnvironment({ env: { ...env, Path: "/3" } }, ["/t"], {}, "win32")).toEqual({
    Path: path("/t", "/3"),
    ...originator,
  });
  expect(createEnvironment({ env }, ["/t"], {}, "win32")).toEqual({ path: path("/t", "/2"), ...originator });
});
