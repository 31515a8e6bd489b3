import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { resolveCacheRoot } from "./cache-root.ts";

const home = resolve("/home/somebody");
const xdg = resolve("/xdg");

test.each([
  ["linux", { HOME: home }, join(home, ".cache", "codex-js")],
  ["linux", { HOME: home, XDG_CACHE_HOME: xdg }, join(xdg, "codex-js")],
  ["linux", { HOME: home, XDG_CACHE_HOME: "relative" }, join(home, ".cache", "codex-js")],
  ["linux", { HOME: home, XDG_CACHE_HOME: xdg, CODEX_JS_CACHE: "own" }, resolve("/cwd", "own")],
  ["linux", { HOME: home, CODEX_JS_CACHE: "" }, join(home, ".cache", "codex-js")],
  ["darwin", { HOME: home }, join(home, "Library", "Caches", "codex-js")],
  ["win32", { USERPROFILE: home, LOCALAPPDATA: xdg }, join(xdg, "codex-js")],
  ["win32", { USERPROFILE: home }, join(home, "AppData", "Local", "codex-js")],
] as const)("%s with %j", (platform, env, dir) => {
  expect(resolveCacheRoot({ cwd: "/cwd", env }, platform)).toBe(dir);
});
