import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { createProjectEnv } from "./child-env.ts";

const outer = {
  PATH: ["/ws/node_modules/.bin", "/usr/bin"].map((path) => path.replaceAll("/", join("/"))).join(delimiter),
  HOME: "/home/someone",
  TMPDIR: "/tmp",
  NODE_EXTRA_CA_CERTS: "/ca.pem",
  NODE_OPTIONS: "--require ./hook.cjs",
  OPENAI_API_KEY: "secret",
  CODEX_HOME: "/home/someone/.codex",
  npm_config_registry: "https://registry.example/",
  npm_config_user_agent: "pnpm/12",
  npm_config_cafile: "/ca.pem",
  npm_execpath: "/pnpm.cjs",
  NPM_CONFIG_USERCONFIG: "/runner/.npmrc",
  INIT_CWD: "/ws",
};

test("a project sees the machine and an empty home, and nothing of the npm, the pnpm or the keys outside", () => {
  expect(createProjectEnv(outer, { home: "/empty", path: ["/runtime"] })).toEqual({
    PATH: `/runtime${delimiter}${outer.PATH}`,
    HOME: "/empty",
    USERPROFILE: "/empty",
    APPDATA: "/empty",
    LOCALAPPDATA: "/empty",
    TMPDIR: "/tmp",
    NODE_EXTRA_CA_CERTS: "/ca.pem",
    npm_config_cafile: "/ca.pem",
  });
});

test("loopback goes past a proxy", () => {
  const env = createProjectEnv(
    { https_proxy: "http://proxy:1", NO_PROXY: "intra.example" },
    { home: "/empty" },
  );
  const noProxy = "intra.example,127.0.0.1,localhost";
  expect([env.https_proxy, env.NO_PROXY, env.no_proxy]).toEqual(["http://proxy:1", noProxy, noProxy]);
});

test("Windows spells it Path", () => {
  const env = createProjectEnv({ Path: "C:\\Windows" }, { home: "C:\\empty", path: ["C:\\runtime"] });
  expect([env.PATH, env.Path]).toEqual([`C:\\runtime${delimiter}C:\\Windows`, undefined]);
});
