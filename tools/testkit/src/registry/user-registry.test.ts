import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { resolveUserRegistry } from "./user-registry.ts";

/** npm with nothing configured but what the files in `dir` say. */
async function resolveIn(dir: string, files: Record<string, string>, env: NodeJS.ProcessEnv = {}) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(dir, name, ".."), { recursive: true });
    await writeFile(join(dir, name), text);
  }
  await writeFile(join(dir, "project", "package.json"), "{}");
  return resolveUserRegistry({
    cwd: join(dir, "project"),
    env: {
      PATH: process.env.PATH,
      Path: process.env.Path,
      SystemRoot: process.env.SystemRoot,
      HOME: dir,
      npm_config_userconfig: join(dir, "user-npmrc"),
      npm_config_globalconfig: join(dir, "global-npmrc"),
      ...env,
    },
  });
}

test("npm's default, without any configuration", async () => {
  await withTempDir("codex-js-npmrc", async (dir) => {
    expect(await resolveIn(dir, { "project/x": "" })).toEqual({ url: "https://registry.npmjs.org/" });
  });
});

test("registry, token, proxies and certificates, each from the file that has it", async () => {
  await withTempDir("codex-js-npmrc", async (dir) => {
    const uplink = await resolveIn(
      dir,
      {
        "global-npmrc": `cafile=${join(dir, "ca.pem")}\nstrict-ssl=false\nnoproxy=a.test,b.test`,
        "user-npmrc": `; a comment\n//npm.corp.test/team/:_authToken = "\${CORP_TOKEN}"\nhttps-proxy=http://proxy.test:8080/`,
        "project/.npmrc": "registry=https://npm.corp.test/team/js/\n",
      },
      { CORP_TOKEN: "secret" },
    );
    expect(uplink).toEqual({
      url: "https://npm.corp.test/team/js/",
      token: "secret",
      cafile: join(dir, "ca.pem"),
      strictSsl: false,
      proxy: "http://proxy.test:8080/",
      noProxy: "a.test,b.test",
    });
  });
});

test("a name and password become a basic header, and other registries' tokens stay where they are", async () => {
  await withTempDir("codex-js-npmrc", async (dir) => {
    const password = Buffer.from("pass").toString("base64");
    const userNpmrc = `//npm.corp.test/:username=me\n//npm.corp.test/:_password=${password}\n//other.test/:_authToken=no`;
    expect(
      await resolveIn(
        dir,
        { "user-npmrc": userNpmrc, "project/x": "" },
        { npm_config_registry: "https://npm.corp.test/" },
      ),
    ).toEqual({ url: "https://npm.corp.test/", basicAuth: Buffer.from("me:pass").toString("base64") });
  });
});

test.skipIf(process.platform === "win32")("asks the user's npm with the user's Node", async () => {
  await withTempDir("codex-js-npmrc", async (dir) => {
    const bin = join(dir, "node_modules", ".bin");
    await mkdir(bin, { recursive: true });
    for (const name of ["npm", "node"])
      await writeFile(join(bin, name), "#!/bin/sh\nexit 9\n", { mode: 0o755 });
    const env = { PATH: `${bin}/${delimiter}${process.env.PATH}` };
    expect(await resolveIn(dir, { "project/x": "" }, env)).toEqual({ url: "https://registry.npmjs.org/" });
  });
});
