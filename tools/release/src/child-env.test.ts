import { expect, test } from "vitest";
import { createChildEnv } from "./child-env.ts";

test("a child sees the machine, not the pnpm or the git hook that this process was started by", () => {
  expect(
    createChildEnv(
      {
        Path: "/bin",
        HOME: "/home/me",
        LC_ALL: "C",
        https_proxy: "http://proxy",
        npm_config_registry: "https://registry.example/",
        npm_config_prefix: "/somewhere",
        npm_lifecycle_event: "release",
        pnpm_config_verify_deps_before_run: "false",
        GIT_DIR: "/repo/.git",
        NPM_TOKEN: "secret",
        TURBO_TOKEN: "turbo",
      },
      { EXTRA: "1" },
    ),
  ).toEqual({
    PATH: "/bin",
    HOME: "/home/me",
    LC_ALL: "C",
    https_proxy: "http://proxy",
    npm_config_registry: "https://registry.example/",
    TURBO_TOKEN: "turbo",
    NODE_DISABLE_COMPILE_CACHE: "1",
    EXTRA: "1",
  });
});
