import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { pickMachineEnv, pickUserEnv, withDirectLoopback, withoutScriptPath } from "./child-env.ts";

const outer = {
  Path: "bin",
  HOME: "/home/me",
  LC_ALL: "C",
  XDG_CACHE_HOME: "/cache",
  https_proxy: "http://proxy",
  npm_config_registry: "http://mine",
  npm_config_cafile: "/ca.pem",
  npm_config_user_agent: "pnpm",
  npm_package_name: "codex-js",
  npm_execpath: "/pnpm",
  NODE_AUTH_TOKEN: "secret",
  GIT_DIR: "/elsewhere",
};

test("a child gets the machine's basics and nothing of the npm around it", () => {
  expect(pickMachineEnv(outer)).toEqual({
    PATH: "bin",
    LC_ALL: "C",
    https_proxy: "http://proxy",
    npm_config_cafile: "/ca.pem",
  });
});

test("a child of the user's gets the user's settings too, and no token", () => {
  expect(pickUserEnv(outer)).toEqual({
    ...pickMachineEnv(outer),
    HOME: "/home/me",
    XDG_CACHE_HOME: "/cache",
    npm_config_registry: "http://mine",
  });
});

test("the folders of package scripts leave PATH", () => {
  const scripts = join("/clone", "node_modules", ".bin");
  expect(withoutScriptPath({ PATH: [scripts, "/usr/bin", `${scripts}/`].join(delimiter) })).toEqual({
    PATH: "/usr/bin",
  });
});

test("loopback is exempt from proxies, where there are any", () => {
  const exempt = "corp,127.0.0.1,localhost";
  expect(withDirectLoopback({ HTTPS_PROXY: "http://proxy", NO_PROXY: "corp" })).toEqual({
    HTTPS_PROXY: "http://proxy",
    NO_PROXY: exempt,
    no_proxy: exempt,
  });
  expect(withDirectLoopback({ PATH: "bin" })).toEqual({ PATH: "bin" });
});
