import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { runProcess } from "@codex-js/cli-kit";
import { expect, onTestFinished, test } from "vitest";
import { readLock } from "../src/index.ts";
import {
  archive,
  archivePath,
  cannot,
  catchError,
  createContext,
  createFixture,
  createMirrorFolder,
  fetchFixture,
  listCache,
  target,
} from "./fixture.ts";

test("the flag wins over the variable, which wins over the lock", async () => {
  const fixture = await createFixture();
  const other = await createFixture();
  const mirror = await createMirrorFolder(fixture.dir);
  const nowhere = join(fixture.dir, "nowhere");
  const context = createContext(fixture, { CODEX_JS_V8_MIRROR: nowhere });
  expect((await fetchFixture(fixture, { context, mirror })).report.targets[0]?.archive.source).toBe("mirror");
  const run = fetchFixture(other, { context: createContext(other, { CODEX_JS_V8_MIRROR: nowhere }) });
  expect(await catchError(run)).toEqual({
    code: "CODEX_JS_V8_NO_MIRROR",
    message: `${cannot}the mirror ${nowhere} is no folder`,
  });
  expect([fixture.server.requests, other.server.requests]).toEqual([[], []]);
});

test("a mirror that is a URL stands before the lock's own and before a row's", async () => {
  const fixture = await createFixture();
  const mirror = await createFixture();
  const { report } = await fetchFixture(fixture, {
    mirror: mirror.server.url.slice(0, -1),
    lock: await lockWithUrls(fixture.lockFile, "http://127.0.0.1:1/never"),
  });
  expect(report.targets[0]?.archive.source).toBe("mirror");
  expect(fixture.server.requests).toEqual([]);
});

test("a row's own URL counts where no mirror is named", async () => {
  const fixture = await createFixture({ files: { "/own/archive": { content: archive } } });
  await fetchFixture(fixture, {
    lock: await lockWithUrls(fixture.lockFile, `${fixture.server.url}own/archive`),
  });
  expect(fixture.server.requests.map(({ path }) => path)).toContain("/own/archive");
  expect(fixture.archiveRequests()).toBe(0);
});

test("a lock that lies in its mirror finds the files beside it", async () => {
  const fixture = await createFixture();
  const mirror = await createMirrorFolder(fixture.dir);
  const file = join(mirror, "v8.lock.json");
  const lock = await readFixtureLock(fixture.lockFile);
  writeFileSync(file, JSON.stringify({ ...lock, baseUrl: "./" }));
  const { report } = await fetchFixture(fixture, { lock: await readLock(file) });
  expect(report.targets[0]?.archive.source).toBe("mirror");
  expect(fixture.server.requests).toEqual([]);
});

test("credentials go with the request and never into a message", async () => {
  const fixture = await createFixture({ behaviours: [{ type: "status", status: 401 }] });
  const mirror = fixture.server.url.replace("//", "//robot:s3cret%20word@");
  const { code, message } = await catchError(fetchFixture(fixture, { mirror }));
  expect([code, message]).toEqual([
    "CODEX_JS_V8_HTTP_STATUS",
    `${cannot}${fixture.server.url}${archivePath} answers with HTTP 401`,
  ]);
  const basic = `Basic ${Buffer.from("robot:s3cret word").toString("base64")}`;
  expect(fixture.server.requests.map(({ authorization }) => authorization)).toEqual([basic, basic]);
});

test("a mirror without the file, and with other bytes", async () => {
  const fixture = await createFixture();
  const mirror = await createMirrorFolder(fixture.dir);
  const file = join(mirror, archivePath);
  writeFileSync(file, "other bytes");
  expect(await catchError(fetchFixture(fixture, { mirror }))).toMatchObject({ code: "CODEX_JS_V8_DIGEST" });
  rmSync(file);
  expect(await catchError(fetchFixture(fixture, { mirror }))).toEqual({
    code: "CODEX_JS_V8_NOT_FOUND",
    message: `${cannot}the mirror has no file ${file}`,
  });
  expect(listCache(fixture.cacheRoot)).toEqual([]);
});

test.skipIf(process.platform === "win32")("a pipe in the file's place is not waited for", async () => {
  const fixture = await createFixture();
  const mirror = await createMirrorFolder(fixture.dir);
  const file = join(mirror, archivePath);
  rmSync(file);
  mkdirSync(dirname(file), { recursive: true });
  await runProcess("mkfifo", [file], { cwd: fixture.dir, env: { PATH: process.env.PATH } });
  expect(await catchError(fetchFixture(fixture, { mirror }))).toMatchObject({
    code: "CODEX_JS_V8_NOT_FOUND",
  });
});

test.each(["ftp://host/", "http://", "https://host/?query", "nonsense:"])(
  "%s is no mirror",
  async (mirror) => {
    const fixture = await createFixture();
    expect(await catchError(fetchFixture(fixture, { mirror }))).toMatchObject({ code: "CODEX_JS_V8_MIRROR" });
  },
);

test("a target that the lock has not got", async () => {
  const fixture = await createFixture();
  expect(await catchError(fetchFixture(fixture, { targets: [target, "riscv64-unknown-linux-gnu"] }))).toEqual(
    {
      code: "CODEX_JS_V8_NO_TARGET",
      message: `${fixture.lockFile} has no V8 for riscv64-unknown-linux-gnu`,
    },
  );
});

/** A forward proxy for plain http: every name leads to `target`. */
async function startProxy(targetUrl: string) {
  const seen: string[] = [];
  const { hostname, port } = new URL(targetUrl);
  const proxy = createServer((incoming, response) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    const { pathname } = new URL(incoming.url!);
    const onward = request({ hostname, port, path: pathname, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy()).end();
  });
  proxy.on("connect", (incoming, socket) => {
    seen.push(`CONNECT ${incoming.url}`);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen };
}

test("HTTP_PROXY is used, but for what NO_PROXY names", async () => {
  const fixture = await createFixture();
  const proxy = await startProxy(fixture.server.url);
  const mirror = "http://mirror.example/v8";
  const proxied = createContext(fixture, { HTTP_PROXY: proxy.url });
  // The mirror lies below a folder that the server has not got: what matters is who was asked.
  expect(await catchError(fetchFixture(fixture, { context: proxied, mirror }))).toMatchObject({
    code: "CODEX_JS_V8_NOT_FOUND",
  });
  expect(proxy.seen).toEqual(["GET http://mirror.example/v8/rusty-v8-v1.2.3/src_binding.rs"]);
  await fetchFixture(fixture, { context: proxied, mirror: "http://mirror.example/" });
  expect(proxy.seen.at(-1)).toBe(`GET http://mirror.example/${archivePath}`);

  const direct = await createFixture();
  const context = createContext(direct, { HTTP_PROXY: proxy.url, NO_PROXY: "127.0.0.1" });
  const before = proxy.seen.length;
  await fetchFixture(direct, { context });
  expect(proxy.seen.length).toBe(before);
});

test("HTTPS_PROXY is asked for a tunnel; its refusal is said once and as what it is", async () => {
  const fixture = await createFixture();
  const proxy = await startProxy(fixture.server.url);
  const context = createContext(fixture, { HTTPS_PROXY: proxy.url });
  expect(await catchError(fetchFixture(fixture, { context, mirror: "https://mirror.example/" }))).toEqual({
    code: "CODEX_JS_V8_NO_NETWORK",
    message: `${cannot}the proxy ${proxy.url} does not lead to mirror.example (Proxy response (403) !== 200 when HTTP Tunneling)`,
  });
  expect(proxy.seen).toEqual(["CONNECT mirror.example:443"]);
});

/** An address at which nobody is. */
async function findDeadAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

test.each([
  ["HTTPS_PROXY", "https"],
  ["HTTP_PROXY", "http"],
  ["HTTP_PROXY", "https"],
  ["ALL_PROXY", "https"],
])("a proxy of %s that is not there is named for %s, without its credentials", async (name, scheme) => {
  const fixture = await createFixture();
  const dead = await findDeadAddress();
  const context = createContext(fixture, { [name]: `http://robot:s3cret@${dead}` });
  expect(await catchError(fetchFixture(fixture, { context, mirror: `${scheme}://mirror.invalid/` }))).toEqual(
    {
      code: "CODEX_JS_V8_NO_NETWORK",
      message: `${cannot}the proxy http://${dead}, which stands before mirror.invalid, cannot be reached (ECONNREFUSED)`,
    },
  );
});

test("a mirror that is not there is no fault of the proxy's that it is kept from", async () => {
  const fixture = await createFixture();
  const dead = await findDeadAddress();
  const context = createContext(fixture, { HTTP_PROXY: `http://${dead}`, NO_PROXY: "127.0.0.1" });
  const mirror = `http://${await findDeadAddress()}/`;
  const { message } = (await catchError(fetchFixture(fixture, { context, mirror }))) as { message: string };
  expect(message).toBe(`${cannot}${new URL(mirror).host} cannot be reached (ECONNREFUSED)`);
});

test("a proxy that is no URL is a mistake in the configuration", async () => {
  const fixture = await createFixture();
  const context = createContext(fixture, { HTTPS_PROXY: "not a url" });
  expect(await catchError(fetchFixture(fixture, { context }))).toMatchObject({ code: "CODEX_JS_V8_PROXY" });
});

async function readFixtureLock(file: string) {
  const { file: _, sha256: __, ...lock } = await readLock(file);
  return lock;
}

async function lockWithUrls(file: string, url: string) {
  const lock = await readLock(file);
  const assets = lock.assets.map((asset) => (asset.kind === "archive" ? { ...asset, url } : asset));
  return { ...lock, assets };
}
