import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { type ChildResult, runNode, runProcess, withTempDir } from "@codex-js/cli-kit";
import { describe, expect, test } from "vitest";
import { type FaultRule, startFaultProxy } from "../src/fault-proxy/index.ts";
import { type Registry, type RegistryOptions, startRegistry } from "../src/registry/index.ts";

const require = createRequire(import.meta.url);
const npmCli = join(dirname(require.resolve("npm/package.json")), "bin/npm-cli.js");

const hasOpenssl = await runProcess("openssl", ["version"], {
  cwd: process.cwd(),
  env: { PATH: process.env.PATH },
}).then(
  () => true,
  () => false,
);

/** The real npm, with a home and a cache of its own. */
async function runNpm(registry: Registry, cwd: string, ...args: string[]): Promise<ChildResult> {
  const home = `${cwd}-home`;
  const userconfig = await registry.writeUserconfig(home);
  return runNode(npmCli, args, {
    cwd,
    env: {
      PATH: process.env.PATH,
      SystemRoot: process.env.SystemRoot,
      HOME: home,
      npm_config_userconfig: userconfig,
      npm_config_cache: join(home, "cache"),
      npm_config_fetch_retries: "0",
    },
    okExitCodes: "any",
  });
}

async function publish(
  registry: Registry,
  dir: string,
  name: string,
  version = "1.0.0",
): Promise<ChildResult> {
  const folder = join(dir, `${name.replace("/", "-")}-${version}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ name, version }));
  await writeFile(join(folder, "data.bin"), randomBytes(50_000));
  return runNpm(registry, folder, "publish", "--access=public");
}

/** What npm sends to publish raced@1.0.0, its tarball being the three bytes of `data`. */
function upload(registry: Registry, data: string): Promise<Response> {
  const dist = { tarball: "http://x/raced/-/raced-1.0.0.tgz" };
  return fetch(new URL("raced", registry.url), {
    method: "PUT",
    headers: { "content-type": "application/json", authorization: "Bearer anything" },
    body: JSON.stringify({
      name: "raced",
      "dist-tags": { latest: "1.0.0" },
      versions: { "1.0.0": { name: "raced", version: "1.0.0", dist } },
      _attachments: { "raced-1.0.0.tgz": { data, length: 3 } },
    }),
  });
}

async function ask(registry: Registry, path: string) {
  const response = await fetch(new URL(path, registry.url));
  const text = await response.text();
  return {
    status: response.status,
    body: text.startsWith("{") ? JSON.parse(text) : `${text.length} characters`,
  };
}

/** An upstream registry with `packages`, faults before it, and a registry that has it as its uplink. */
async function withUplink(
  options: { packages?: string[]; faults?: FaultRule[]; registry?: Partial<RegistryOptions> },
  use: (world: {
    registry: Registry;
    upstream: Registry;
    asked: () => string[];
    dir: string;
  }) => Promise<void>,
): Promise<void> {
  await withTempDir("codex-js-registry", async (dir) => {
    await using upstream = await startRegistry({ storageDir: join(dir, "upstream"), uplink: null });
    for (const name of options.packages ?? []) {
      expect(await publish(upstream, dir, name)).toMatchObject({ exitCode: 0 });
    }
    await using proxy = await startFaultProxy(upstream.url, options.faults ?? []);
    await using registry = await startRegistry({
      storageDir: join(dir, "storage"),
      uplinkUrl: proxy.url,
      ...options.registry,
    });
    await use({ registry, upstream, dir, asked: () => proxy.requests.map(({ path }) => path) });
  });
}

describe("publishing with the real npm", () => {
  test("needs no account, survives a restart, and installs without asking anybody else", async () => {
    await withTempDir("codex-js-registry", async (dir) => {
      const storageDir = join(dir, "storage");
      const before = await startRegistry({ storageDir, uplink: null });
      expect(await publish(before, dir, "@codex-js/thing")).toMatchObject({ exitCode: 0 });
      const published = (await ask(before, "@codex-js/thing")).body.versions["1.0.0"].dist.integrity;
      await before.close();

      await using after = await startRegistry({ storageDir, uplink: null });
      expect((await ask(after, "@codex-js%2fthing")).body.versions["1.0.0"].dist).toMatchObject({
        integrity: published,
        tarball: `${after.url}@codex-js/thing/-/thing-1.0.0.tgz`,
      });
      await mkdir(join(dir, "app"));
      const installed = await runNpm(after, join(dir, "app"), "install", "--audit", "@codex-js/thing");
      expect(installed).toMatchObject({ exitCode: 0, stderr: "" });
      expect(installed.stdout).toContain("found 0 vulnerabilities");
      expect(readdirSync(join(dir, "app/node_modules/@codex-js/thing")).sort()).toEqual([
        "data.bin",
        "package.json",
      ]);
    });
  });

  test("refuses a version that is there, and says so", async () => {
    await withTempDir("codex-js-registry", async (dir) => {
      await using registry = await startRegistry({ storageDir: join(dir, "storage"), uplink: null });
      const results = [await publish(registry, dir, "twice"), await publish(registry, dir, "twice")];
      expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 1]);
      expect(results[1]?.stderr).toContain("cannot publish over the previously published versions: 1.0.0");
    });
  });

  test("the second of two uploads of one version gets a conflict", async () => {
    await withTempDir("codex-js-registry", async (dir) => {
      await using registry = await startRegistry({ storageDir: join(dir, "storage"), uplink: null });
      expect([(await upload(registry, "AAAA")).status, (await upload(registry, "AAAA")).status]).toEqual([
        201, 409,
      ]);
    });
  });

  test("an upload that the disk has no room for is refused before it is read, with the reason", async () => {
    await withTempDir("codex-js-registry", async (dir) => {
      await using registry = await startRegistry({ storageDir: dir, uplink: null });
      const request = httpRequest(new URL("huge", registry.url), {
        method: "PUT",
        headers: { "content-type": "application/json", "content-length": "1000000000000000" },
      });
      request.on("error", () => {}).flushHeaders();
      const [response] = (await once(request, "response")) as [IncomingMessage];
      let body = "";
      for await (const chunk of response) body += String(chunk);
      request.destroy();
      expect([response.statusCode, body]).toEqual([
        507,
        expect.stringContaining("no space for the upload in"),
      ]);
      expect((await upload(registry, "AAAA")).status).toBe(201);
    });
  });

  // verdaccio answers 409 to a version whose tarball it has without the version itself.
  test("a version that a killed registry had stored by half can be published", async () => {
    await withTempDir("codex-js-registry", async (dir) => {
      const storageDir = join(dir, "storage");
      const killed = await startRegistry({ storageDir, uplink: null });
      await upload(killed, "AAAA");
      await killed.close();
      const metadata = join(storageDir, "raced/package.json");
      const stored = JSON.parse(await readFile(metadata, "utf8"));
      await writeFile(metadata, JSON.stringify({ ...stored, versions: {}, "dist-tags": {} }));
      await writeFile(join(storageDir, "raced/raced-1.0.0.tgz.tmp-1"), "part");

      await using registry = await startRegistry({ storageDir, uplink: null });
      expect((await upload(registry, "BBBB")).status).toBe(201);
      const tarball = await fetch(new URL("raced/-/raced-1.0.0.tgz", registry.url));
      expect(Buffer.from(await tarball.arrayBuffer()).toString("base64")).toBe("BBBB");
      expect(readdirSync(join(storageDir, "raced")).sort()).toEqual(["package.json", "raced-1.0.0.tgz"]);
    });
  });

  test("a name of a local scope never reaches the uplink, a new one may be published while it is dead", async () => {
    const faults: FaultRule[] = [{ match: { path: "." }, fault: { status: 500 } }];
    await withUplink(
      { faults, registry: { localScopes: ["@codex-js/*"] } },
      async ({ registry, dir, asked }) => {
        expect((await ask(registry, "@codex-js/new")).status).toBe(404);
        expect((await publish(registry, dir, "@codex-js/new")).exitCode).toBe(0);
        expect(asked()).toEqual([]);
        expect((await publish(registry, dir, "elsewhere")).exitCode).toBe(0);
        expect((await ask(registry, "elsewhere")).status).toBe(200);
      },
    );
  });
});

describe("the uplink", () => {
  test("is asked once for what is not here; then the storage has it", async () => {
    await withUplink({ packages: ["plain"] }, async ({ registry, upstream, asked, dir }) => {
      const tarball = "plain/-/plain-1.0.0.tgz";
      expect((await ask(registry, "plain")).body["dist-tags"]).toEqual({ latest: "1.0.0" });
      const [first, second] = await Promise.all([ask(registry, tarball), ask(registry, tarball)]);
      expect([first, second]).toEqual([first, first]);
      expect(first.status).toBe(200);
      await upstream.close();
      expect(await ask(registry, tarball)).toEqual(first);
      expect((await ask(registry, "plain")).status).toBe(200);
      expect(asked()).toEqual(["/plain", `/${tarball}`]);
      await mkdir(join(dir, "app"));
      expect(await runNpm(registry, join(dir, "app"), "install", "plain")).toMatchObject({ exitCode: 0 });
    });
  });

  test("gets the token, and clients' tokens never", async () => {
    await withTempDir("codex-js-registry", async (dir) => {
      const seen: (string | undefined)[] = [];
      const server = createServer((request, response) => {
        seen.push(request.headers.authorization);
        response.writeHead(404, { "content-type": "application/json" }).end("{}");
      });
      const uplinkUrl = await listen(server);
      await using registry = await startRegistry({
        storageDir: join(dir, "a"),
        uplinkUrl,
        uplinkToken: "tok",
      });
      await using other = await startRegistry({ storageDir: join(dir, "b"), uplinkUrl });
      for (const { url } of [registry, other]) {
        await fetch(new URL("x", url), { headers: { authorization: "Bearer mine" } });
      }
      expect(seen).toEqual(["Bearer tok", undefined]);
      server.close();
      server.closeAllConnections();
    });
  });

  test("of a scope is asked for the scope's packages, with its own token", async () => {
    await withTempDir("codex-js-registry", async (dir) => {
      const seen: string[] = [];
      const start = (name: string) =>
        createServer((request, response) => {
          seen.push(`${name} ${request.url} ${request.headers.authorization}`);
          response.writeHead(404, { "content-type": "application/json" }).end("{}");
        });
      const [main, scoped] = [start("main"), start("scoped")];
      const uplink = {
        url: await listen(main),
        token: "one",
        scopes: { "@openai": { url: await listen(scoped), token: "two" } },
      };
      await using registry = await startRegistry({ storageDir: join(dir, "storage"), uplink });
      for (const path of ["@openai%2fcodex", "@other%2fthing", "plain"]) await ask(registry, path);
      expect(seen).toEqual([
        "scoped /@openai%2Fcodex Bearer two",
        "main /@other%2Fthing Bearer one",
        "main /plain Bearer one",
      ]);
      for (const server of [main, scoped]) {
        server.close();
        server.closeAllConnections();
      }
    });
  });

  test.each([
    ["is dead", undefined, "connect ECONNREFUSED"],
    ["refuses", 407, "HTTP 407"],
  ])("behind a proxy that %s: clients learn that it was the proxy", async (_, status, reason) => {
    await withTempDir("codex-js-registry", async (dir) => {
      const server = createServer();
      server.on("connect", (_request, socket) =>
        socket.end(`HTTP/1.1 ${status} no\r\ncontent-length: 0\r\n\r\n`),
      );
      const proxyUrl = status === undefined ? "http://127.0.0.1:9" : await listen(server);
      await using registry = await startRegistry({
        storageDir: join(dir, "storage"),
        uplinkUrl: "https://registry.invalid/",
        env: { https_proxy: proxyUrl, no_proxy: "" },
      });
      const expected = new RegExp(
        `^the uplink did not deliver anything of registry\\.invalid:443, behind the proxy 127\\.0\\.0\\.1: ${reason}`,
      );
      expect(await ask(registry, "thing")).toEqual({
        status: 502,
        body: { error: expect.stringMatching(expected) },
      });
      expect(registry.uplinkFailures()).toContainEqual(expect.stringMatching(expected));
      server.close();
      server.closeAllConnections();
    });
  });

  test("is reached through the proxy that the environment names", async () => {
    await withTempDir("codex-js-registry", async (dir) => {
      await using upstream = await startRegistry({ storageDir: join(dir, "upstream"), uplink: null });
      await publish(upstream, dir, "behind");
      const seen: string[] = [];
      const server = createServer((incoming, response) => {
        seen.push(incoming.url ?? "");
        const { pathname } = new URL(incoming.url ?? "");
        httpRequest(new URL(pathname, upstream.url), { headers: incoming.headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 0, answer.headers);
          answer.pipe(response);
        }).end();
      });
      const proxyUrl = await listen(server);
      await using registry = await startRegistry({
        storageDir: join(dir, "storage"),
        uplinkUrl: "http://registry.invalid/",
        env: { http_proxy: proxyUrl, no_proxy: "" },
      });
      expect((await ask(registry, "behind")).status).toBe(200);
      expect(seen).toEqual(["http://registry.invalid/behind"]);
      server.close();
      server.closeAllConnections();
    });
  });

  test.skipIf(!hasOpenssl)("is trusted by its cafile, and not without", async () => {
    await withTempDir("codex-js-registry", async (dir) => {
      const [key, cafile] = [join(dir, "key.pem"), join(dir, "cert.pem")];
      const subject = ["-subj", "/CN=uplink", "-addext", "subjectAltName=IP:127.0.0.1"];
      const newKey = ["-newkey", "rsa:2048", "-nodes", "-keyout", key];
      await runProcess("openssl", ["req", "-x509", ...newKey, "-out", cafile, ...subject], {
        cwd: dir,
        env: { PATH: process.env.PATH },
      });
      const credentials = { key: await readFile(key), cert: await readFile(cafile) };
      const server = createTlsServer(credentials, (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ name: "trusted", versions: {}, "dist-tags": {} }));
      });
      const url = (await listen(server)).replace("http:", "https:");
      await using trusting = await startRegistry({ storageDir: join(dir, "a"), uplink: { url, cafile } });
      await using lax = await startRegistry({
        storageDir: join(dir, "b"),
        uplink: { url, strictSsl: false },
      });
      await using strict = await startRegistry({ storageDir: join(dir, "c"), uplink: { url } });
      const answers = await Promise.all([trusting, lax, strict].map((registry) => ask(registry, "trusted")));
      expect(answers).toMatchObject([
        { status: 200 },
        { status: 200 },
        { status: 502, body: { error: expect.stringContaining("self-signed certificate") } },
      ]);
      server.close();
      server.closeAllConnections();
    });
  });

  test.each([
    ["answers 500", { status: 500 }, "HTTP 500"],
    ["breaks the connection", { cut: "request" }, "socket hang up"],
  ] as const)("%s: clients learn it, and the next request works", async (_, fault, reason) => {
    const faults: FaultRule[] = [
      { match: { path: "^/flaky$", times: 1 }, fault },
      { match: { path: "\\.tgz$", times: 1 }, fault },
    ];
    await withUplink({ packages: ["flaky"], faults }, async ({ registry }) => {
      const tarball = "flaky/-/flaky-1.0.0.tgz";
      const answers = [];
      for (const path of ["flaky", "flaky", tarball, tarball]) answers.push(await ask(registry, path));
      const failed = (path: string) => ({
        status: 502,
        body: {
          error: expect.stringMatching(
            new RegExp(`^the uplink did not deliver http://.*/${path}: ${reason}$`),
          ),
        },
      });
      expect(answers).toEqual([
        failed("flaky"),
        expect.objectContaining({ status: 200 }),
        failed(tarball),
        { status: 200, body: expect.stringContaining("characters") },
      ]);
      expect((await registry.recentLog()).join("\n")).toContain(reason);
    });
  });

  test("that is not there makes npm say so, where verdaccio alone says that the package does not exist", async () => {
    await withUplink({ registry: { uplinkUrl: "http://127.0.0.1:1/" } }, async ({ registry, dir }) => {
      await mkdir(join(dir, "app"));
      const { exitCode, stderr } = await runNpm(registry, join(dir, "app"), "install", "anything");
      expect(exitCode).toBe(1);
      expect(stderr).toContain("E502");
      expect(stderr).toContain(
        "the uplink did not deliver http://127.0.0.1:1/anything: connect ECONNREFUSED",
      );
    });
  });

  test("a download that breaks off breaks off for the client too, and is not kept", async () => {
    const faults: FaultRule[] = [
      { match: { path: "\\.tgz$", times: 1 }, fault: { cut: { answerAfterBytes: 1000 } } },
    ];
    await withUplink({ packages: ["half"], faults }, async ({ registry, dir }) => {
      const tarball = "half/-/half-1.0.0.tgz";
      await ask(registry, "half");
      await expect(ask(registry, tarball)).rejects.toThrow();
      expect(readdirSync(join(dir, "storage/half"))).not.toContain("half-1.0.0.tgz");
      expect((await ask(registry, tarball)).status).toBe(200);
    });
  });

  test("a client that waited for another's failed download gets its own", async () => {
    const faults: FaultRule[] = [
      { match: { path: "\\.tgz$", times: 1 }, fault: { cut: { answerAfterBytes: 1000 } } },
    ];
    await withUplink({ packages: ["half"], faults }, async ({ registry, asked }) => {
      const tarball = "half/-/half-1.0.0.tgz";
      await ask(registry, "half");
      const outcomes = await Promise.allSettled([1, 2, 3].map(() => ask(registry, tarball)));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "fulfilled", "rejected"]);
      expect(asked()).toEqual(["/half", `/${tarball}`, `/${tarball}`]);
    });
  });
});

describe("a kept storage with damaged files", () => {
  const tarball = "kept/-/kept-1.0.0.tgz";
  const damages: [string, (storage: string) => Promise<void>][] = [
    ["metadata cut off", (storage) => truncate(join(storage, "kept/package.json"), 100)],
    ["empty metadata", (storage) => truncate(join(storage, "kept/package.json"), 0)],
    ["metadata that is gone", (storage) => rm(join(storage, "kept/package.json"))],
    ["a tarball cut off", (storage) => truncate(join(storage, "kept/kept-1.0.0.tgz"), 100)],
    ["a tarball that is gone", (storage) => rm(join(storage, "kept/kept-1.0.0.tgz"))],
    ["a list of packages cut off", (storage) => writeFile(join(storage, ".verdaccio-db.json"), '{"li')],
  ];

  test.each(damages)("%s: what came from the uplink is fetched anew", async (_, damage) => {
    await withUplink({ packages: ["kept"] }, async ({ upstream, dir }) => {
      const storageDir = join(dir, "kept-storage");
      const options = { storageDir, uplinkUrl: upstream.url, localScopes: ["@codex-js/*"] };
      const before = await startRegistry(options);
      const bytes = await download(before, tarball);
      // verdaccio renames it into its place a moment after the client has its last byte.
      while (!existsSync(join(storageDir, "kept/kept-1.0.0.tgz"))) await new Promise(setImmediate);
      await before.close();
      await damage(storageDir);
      await using after = await startRegistry(options);
      expect((await ask(after, "kept")).body["dist-tags"]).toEqual({ latest: "1.0.0" });
      expect(await Promise.all([download(after, tarball), download(after, tarball)])).toEqual([bytes, bytes]);
    });
  });

  test.each([
    ["package.json", "is not what the registry wrote", (file: string) => truncate(file, 100)],
    ["thing-1.0.0.tgz", "has other bytes than were published", (file: string) => truncate(file, 100)],
    ["thing-1.0.0.tgz", "is not there", (file: string) => rm(file)],
  ])("%s %s: what was published here is named", async (name, what, damage) => {
    await withTempDir("codex-js-registry", async (dir) => {
      const storageDir = join(dir, "storage");
      const options = { storageDir, uplinkUrl: "http://127.0.0.1:9/", localScopes: ["@codex-js/*"] };
      const before = await startRegistry(options);
      await publish(before, dir, "@codex-js/thing");
      await before.close();
      const file = join(storageDir, "@codex-js/thing", name);
      await damage(file);
      await expect(startRegistry(options)).rejects.toMatchObject({
        code: "CODEX_JS_REGISTRY_STORAGE_DAMAGED",
        exitCode: 3,
        message: expect.stringContaining(`${file} ${what}`),
        hint: expect.stringContaining(`remove ${storageDir}`),
      });
    });
  });

  async function download(registry: Registry, path: string): Promise<string> {
    const response = await fetch(new URL(path, registry.url));
    return Buffer.from(await response.arrayBuffer()).toString("hex");
  }
});

describe("starting and closing", () => {
  test("a taken port, a port that may not be, and a folder that cannot be written have a remedy", async () => {
    await withTempDir("codex-js-registry", async (dir) => {
      const file = join(dir, "file");
      await writeFile(file, "");
      const start = (options: Partial<RegistryOptions>) =>
        startRegistry({ storageDir: join(dir, "storage"), uplink: null, ...options });
      await using running = await start({});
      const port = Number(new URL(running.url).port);
      const errors = await Promise.all(
        [start({ port }), start({ port: 70_000 }), start({ storageDir: join(file, "storage") })].map(
          (starting) =>
            starting.then(
              () => undefined,
              ({ code, exitCode, hint }) => ({ code, exitCode, hinted: hint !== undefined }),
            ),
        ),
      );
      expect(errors).toEqual(
        ["PORT_TAKEN", "PORT_UNUSABLE", "STORAGE_UNWRITABLE"].map((name) => ({
          code: `CODEX_JS_REGISTRY_${name}`,
          exitCode: 3,
          hinted: true,
        })),
      );
    });
  });

  test("a storage that verdaccio cannot read is an error and not a hang", async () => {
    await withTempDir("codex-js-registry", async (dir) => {
      await writeFile(join(dir, ".verdaccio-db.json"), '{"list":[],"secret":"short"}');
      await expect(startRegistry({ storageDir: dir, uplink: null })).rejects.toMatchObject({
        code: "CODEX_JS_REGISTRY_START_FAILED",
        message: expect.stringContaining("secret"),
      });
    });
  });

  test("the signal closes it, with a client still waiting", async () => {
    const faults: FaultRule[] = [{ match: { path: "." }, fault: { delayMs: 2 ** 30 } }];
    const abort = new AbortController();
    await withUplink({ faults, registry: { signal: abort.signal } }, async ({ registry, asked }) => {
      const waiting = ask(registry, "slow").then(
        () => "answered",
        () => "broken",
      );
      while (asked().length === 0) await new Promise(setImmediate);
      abort.abort();
      await registry.close();
      expect(await waiting).toBe("broken");
      await expect(ask(registry, "slow")).rejects.toThrow();
    });
  });

  test("a process that starts and closes everything ends by itself, has printed nothing, left no file outside", async () => {
    await withTempDir("codex-js-registry", async (dir) => {
      const source = (name: string) =>
        JSON.stringify(new URL(`../src/${name}/index.ts`, import.meta.url).href);
      const program = join(dir, "program.mjs");
      await writeFile(
        program,
        `import { startRegistry } from ${source("registry")};
         import { startFaultProxy } from ${source("fault-proxy")};
         import { startMockModel, createCodexHome } from ${source("mock-model")};
         await using model = await startMockModel();
         await using home = await createCodexHome(model);
         await using dead = await startRegistry({ storageDir: "storage", uplinkUrl: "http://127.0.0.1:1/" });
         await using proxy = await startFaultProxy(dead.url, []);
         await using registry = await startRegistry({ storageDir: "second", uplinkUrl: proxy.url });
         for (const path of ["x", "x/-/x-1.0.0.tgz"]) await (await fetch(registry.url + path)).text();
         await (await fetch(model.baseUrl)).text();`,
      );
      const env = { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, TMPDIR: dir, TEMP: dir };
      const result = await runNode(program, [], { cwd: dir, env });
      expect({ exitCode: result.exitCode, stdout: result.stdout, stderr: result.stderr }).toEqual({
        exitCode: 0,
        stdout: "",
        stderr: "",
      });
      expect(readdirSync(dir).sort()).toEqual(["program.mjs", "second", "storage"]);
    });
  });

  test("the log of a run starts empty and is bounded", async () => {
    await withTempDir("codex-js-registry", async (dir) => {
      await using registry = await startRegistry({ storageDir: dir, uplink: null });
      for (let index = 0; index < 210; index++) await ask(registry, `missing-${index}`);
      const log = await registry.recentLog();
      expect([log.length, log.at(-1)]).toEqual([200, expect.stringMatching(/^GET \/missing-20\d 404$/)]);
      expect(await readFile(join(dir, ".registry.log"), "utf8")).toBe("");
    });
  });
});

async function listen(server: ReturnType<typeof createServer | typeof createTlsServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
