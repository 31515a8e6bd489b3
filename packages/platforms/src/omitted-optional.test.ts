import { join } from "node:path";
import { expect, test } from "vitest";
import { findOmitSetting } from "./omitted-optional.ts";
import { createTempDir, writeFiles } from "./testing/fake-install.ts";

/** A project of npm's, below the user's and the machine's configuration; `env` is what npm hands its children. */
function createSettings(files: Record<string, string>) {
  const dir = createTempDir();
  writeFiles(dir, { "user-npmrc": "", "global-npmrc": "", "project/package.json": "{}", ...files });
  const installation = {
    manager: "npm" as const,
    isGlobal: false,
    root: join(dir, "project"),
    packageName: "asking",
  };
  const places = {
    npm_config_userconfig: join(dir, "user-npmrc"),
    npm_config_globalconfig: join(dir, "global-npmrc"),
  };
  const find = (env: NodeJS.ProcessEnv) => findOmitSetting(installation, { ...places, ...env });
  return { dir, find };
}

// npm exports what it has read from any of them.
test.each(["project/.npmrc", "user-npmrc", "global-npmrc"])("%s is named, though npm exports it", (file) => {
  const { dir, find } = createSettings({ [file]: "# mine\nomit=optional\n" });
  const named = `"omit=optional" from ${join(dir, file)}`;
  expect([find({}), find({ npm_config_omit: "optional", npm_command: "exec" })]).toEqual([named, named]);
});

test.each([
  ["project/.npmrc", "omit[] = optional"],
  ["project/.npmrc", "optional=false"],
  ["project/bunfig.toml", "optional = false"],
  ["project/pnpm-workspace.yaml", "optional: false"],
])("%s: %s", (file, line) => {
  const { dir, find } = createSettings({ [file]: `${line}\n` });
  expect(find({})).toBe(`"${line}" from ${join(dir, file)}`);
});

test.each<[NodeJS.ProcessEnv, string | undefined]>([
  [{ npm_config_omit: "dev optional" }, "npm_config_omit from the environment"],
  [{ NPM_CONFIG_OMIT: "optional" }, "npm_config_omit from the environment"],
  [{ npm_config_optional: "false" }, "npm_config_optional from the environment"],
  [
    { npm_config_omit: "optional", npm_command: "exec" },
    "npm_config_omit from the environment, or --omit=optional from npm's command line",
  ],
  [{ npm_config_omit: "dev" }, undefined],
])("without a file, %j", (env, named) => {
  expect(createSettings({ "project/.npmrc": "# omit=optional\nomit=dev\n" }).find(env)).toBe(named);
});
