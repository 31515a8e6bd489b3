import { mkdir, readdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { formatError, redact, withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { resolveUserRegistry } from "./user-registry.ts";

const corporate = "registry=https://npm.corp.test/";

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
    const { url, ...rest } = await resolveIn(dir, { "project/x": "" });
    expect([url, rest]).toEqual([expect.stringMatching(/^https:\/\/\S+\/$/), {}]);
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

// npm leaves such a URL out of what it lists.
test("a name and token inside the URL become a header and are shown nowhere", async () => {
  await withTempDir("codex-js-npmrc", async (dir) => {
    const files = {
      "user-npmrc": "registry=https://me:plain%2Dtoken@npm.corp.test/team/\n",
      "project/x": "",
    };
    expect(await resolveIn(dir, files)).toEqual({
      url: "https://npm.corp.test/team/",
      basicAuth: Buffer.from("me:plain-token").toString("base64"),
    });
    expect(redact("the answer was: plain-token is not welcome")).toBe("the answer was: *** is not welcome");
  });
});

test("every credential of the settings is shown nowhere, whatever it looks like", async () => {
  await withTempDir("codex-js-npmrc", async (dir) => {
    const password = Buffer.from("pass-word").toString("base64");
    const userNpmrc = `//a.test/:_authToken=\${SECRET_OF_A}\n//b.test/:_password=${password}\n//c.test/:_auth=${Buffer.from("me:auth-word").toString("base64")}`;
    await resolveIn(dir, { "user-npmrc": userNpmrc, "project/x": "" }, { SECRET_OF_A: "token-word" });
    expect(redact("token-word pass-word auth-word")).toBe("*** *** ***");
  });
});

test("a registry that is no http URL is a usage error that shows none", async () => {
  await withTempDir("codex-js-npmrc", async (dir) => {
    const error: unknown = await resolveIn(dir, {
      "user-npmrc": "registry=ftp://me:ftp-token@npm.corp.test/\n",
      "project/x": "",
    }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "CODEX_JS_REGISTRY_BAD_URL", exitCode: 2 });
    expect(formatError(error)).not.toContain("ftp-token");
  });
});

test("the registries of scopes, each with its own credentials", async () => {
  await withTempDir("codex-js-npmrc", async (dir) => {
    const userNpmrc = `@openai:registry=https://mirror.test/npm/\n//mirror.test/npm/:_authToken=mirror-token\n@other:registry=https://me:inside@other.test/`;
    expect(await resolveIn(dir, { "user-npmrc": `${corporate}\n${userNpmrc}`, "project/x": "" })).toEqual({
      url: "https://npm.corp.test/",
      scopes: {
        "@openai": { url: "https://mirror.test/npm/", token: "mirror-token" },
        "@other": { url: "https://other.test/", basicAuth: Buffer.from("me:inside").toString("base64") },
      },
    });
  });
});

test("a proxy variable that is no URL is a usage error that names it, without its credentials", async () => {
  await withTempDir("codex-js-npmrc", async (dir) => {
    const resolving = (env: NodeJS.ProcessEnv) =>
      resolveIn(dir, { "user-npmrc": corporate, "project/x": "" }, env);
    await expect(resolving({ HTTPS_PROXY: "me:secret-word@nonsense" })).rejects.toMatchObject({
      code: "CODEX_JS_REGISTRY_BAD_PROXY",
      exitCode: 2,
      message: 'HTTPS_PROXY is "***@nonsense", which is no URL of a proxy',
    });
    // Not on the way to the registry.
    for (const env of [{ HTTP_PROXY: "nonsense" }, { HTTPS_PROXY: "nonsense", NO_PROXY: ".corp.test" }]) {
      expect(await resolving(env)).toMatchObject({ url: "https://npm.corp.test/" });
    }
  });
});

test("npm leaves nothing in the temp folder", async () => {
  await withTempDir("codex-js-npmrc", async (dir) => {
    const temp = join(dir, "temp");
    await mkdir(temp);
    await resolveIn(dir, { "project/x": "" }, { TMPDIR: temp, TEMP: temp, TMP: temp });
    expect(await readdir(temp)).toEqual([]);
  });
});

test.skipIf(process.platform === "win32")("asks the user's npm with the user's Node", async () => {
  await withTempDir("codex-js-npmrc", async (dir) => {
    const bin = join(dir, "node_modules", ".bin");
    await mkdir(bin, { recursive: true });
    for (const name of ["npm", "node"])
      await writeFile(join(bin, name), "#!/bin/sh\nexit 9\n", { mode: 0o755 });
    const env = { PATH: `${bin}/${delimiter}${process.env.PATH}` };
    const files = { "user-npmrc": corporate, "project/x": "" };
    expect(await resolveIn(dir, files, env)).toEqual({ url: "https://npm.corp.test/" });
  });
});
