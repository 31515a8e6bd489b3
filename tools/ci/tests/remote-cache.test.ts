import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createTempDir } from "@codex-js/cli-kit";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type CacheServer, type CacheServerOptions, startCacheServer } from "./cache-server.ts";
import { build, cloneRepository, createRepository, readBuilt } from "./cached-repository.ts";

const token = "the-cache-s-own-token";

/** The repository, and the server with an empty storage, until `end`. */
async function setUp({
  server: options = {},
  remoteCache = {},
}: {
  server?: Partial<CacheServerOptions>;
  remoteCache?: object;
} = {}) {
  const dir = await createTempDir("codex-js-remote-cache");
  const storageDir = join(dir.path, "storage");
  await mkdir(storageDir);
  const server = await startCacheServer({ storageDir, token, ...options });
  const origin = join(dir.path, "origin");
  const names = await createRepository(origin, remoteCache);
  let clones = 0;
  return {
    names,
    env: describeCache(server),
    clone: () => cloneRepository(origin, join(dir.path, `clone-${clones++}`)),
    end: async () => {
      await server[Symbol.asyncDispose]();
      await dir.remove();
    },
    all: (source: string) => Object.fromEntries(names.map((name) => [name, source])),
  };
}

/** All that CONTRIBUTING.md says is needed. */
function describeCache({ url }: CacheServer): NodeJS.ProcessEnv {
  return { TURBO_API: url, TURBO_TOKEN: token, TURBO_TEAM: "codex-js" };
}

describe("a cache that one clone has filled", () => {
  let filled: Awaited<ReturnType<typeof setUp>>;
  beforeAll(async () => {
    filled = await setUp();
    const first = await build(await filled.clone(), filled.env);
    expect(first).toEqual({ warnings: [], sources: filled.all("built") });
  });
  afterAll(() => filled.end());

  test("an empty clone gets everything from it", async () => {
    const { names, env, clone, all } = filled;
    const second = await clone();
    expect(await build(second, env)).toEqual({ warnings: [], sources: all("remote") });
    // The artifacts, and not only the word for it.
    expect(await Promise.all(names.map((name) => readBuilt(second, name)))).toEqual(
      names.map((name) => `built ${name}`),
    );
  });

  const refusal = expect.stringMatching(/^failed to contact remote cache: .*401 Unauthorized/);
  test.each<[string, (env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv, unknown[]]>([
    ["without the variables nothing is asked of it", () => ({}), []],
    ["another team's artifacts are another team's", (env) => ({ ...env, TURBO_TEAM: "others" }), []],
    [
      "with a wrong token the build succeeds and says so",
      (env) => ({ ...env, TURBO_TOKEN: "another" }),
      [refusal],
    ],
    [
      "with an address where nobody is the build succeeds and says so",
      // Port 9 is nobody's: it is kept for discarding.
      (env) => ({ ...env, TURBO_API: "http://127.0.0.1:9" }),
      expect.arrayContaining([expect.stringContaining("Remote caching unavailable")]),
    ],
  ])("%s", async (_, change, warnings) => {
    const { env, clone, all } = filled;
    expect(await build(await clone(), change(env))).toEqual({ warnings, sources: all("built") });
  });
});

// What CONTRIBUTING.md says of signatures, which turbo.json does not ask for.
test("signed: hits for who has the key, and neither a hit nor an upload for anybody else", async () => {
  const signatureKey = "a key that only the builders have, 32 bytes or more";
  const { env, clone, all, end } = await setUp({
    server: { signatureKey: "the server only keeps what it is given" },
    remoteCache: { signature: true },
  });
  onTestFinished(end);
  const signed = { ...env, TURBO_REMOTE_CACHE_SIGNATURE_KEY: signatureKey };
  const unsigned = await build(await clone(), env);
  expect(unsigned).toEqual({ warnings: ["artifact signature error"], sources: all("built") });
  const sources: string[] = [];
  for (const each of [signed, signed, { ...signed, TURBO_REMOTE_CACHE_SIGNATURE_KEY: `${signatureKey}?` }]) {
    sources.push(...new Set(Object.values((await build(await clone(), each)).sources)));
  }
  expect(sources).toEqual(["built", "remote", "built"]);
});
