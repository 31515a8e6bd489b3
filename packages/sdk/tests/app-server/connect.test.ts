import { type ChildProcess, spawn } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AppServerClient, type RemoteClientOptions } from "../../src/app-server/client.ts";
import { createFixture, type Fixture, until } from "./engine-fixture.ts";

let fixture: Fixture;
const closers: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  fixture = await createFixture();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await fixture[Symbol.asyncDispose]();
});

async function serve(args: string[], isReady: (stderr: string) => boolean): Promise<string> {
  const { file, env, cwd } = fixture.command();
  const server: ChildProcess = spawn(file, ["app-server", ...args], {
    env: env as NodeJS.ProcessEnv,
    cwd,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  closers.push(() => {
    server.kill("SIGKILL");
    return ended;
  });
  let stderr = "";
  server.stderr!.on("data", (chunk) => {
    stderr += chunk;
  });
  await until(() => isReady(stderr) || server.exitCode !== null);
  return stderr;
}

/** Starts a server on TCP with this kind of authentication; its address. */
async function serveTcp(auth: string[]): Promise<string> {
  const pattern = /ws:\/\/127\.0\.0\.1:(\d+)/;
  const stderr = await serve(["--listen", "ws://127.0.0.1:0", ...auth], (text) => pattern.test(text));
  return pattern.exec(stderr)![0];
}

function connect(url: string, options: Partial<RemoteClientOptions> = {}): AppServerClient {
  const introduction = { clientInfo: { name: "codex_js_test", title: null, version: "1" } };
  const client = AppServerClient.overWebSocket({ url, introduction, ...options });
  closers.push(() => client.close());
  return client;
}

const describeFailure = (client: AppServerClient) =>
  client.start().then(
    () => "connected",
    ({ code, message, hint }) => ({ code, message, hint }),
  );

function signToken(secret: string, claims: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

test("a capability token: the right one, a wrong one, none", async () => {
  const token = "0123456789abcdef0123456789abcdef";
  const sha256 = createHash("sha256").update(token).digest("hex");
  const url = await serveTcp(["--ws-auth", "capability-token", "--ws-token-sha256", sha256]);
  expect((await connect(url, { token }).request("thread/list", {})).data).toEqual([]);
  const refusal = (what: string) => ({
    code: "CODEX_JS_SDK_ENGINE_NOT_STARTED",
    message: `cannot join the app-server at ${url}: it answered HTTP 401 instead of agreeing to a WebSocket`,
    hint: `the token is ${what}: pass the one that the server was started with`,
  });
  expect(await describeFailure(connect(url, { token: "wrong" }))).toEqual(
    refusal("wrong or no longer valid"),
  );
  expect(await describeFailure(connect(url))).toEqual(refusal("missing"));
});

test("a signed bearer token: valid, expired, signed with another secret", async () => {
  const secret = "0123456789abcdef0123456789abcdef0123456789abcdef";
  const secretFile = join(fixture.dir, "secret");
  await writeFile(secretFile, secret, { mode: 0o600 });
  const url = await serveTcp([
    ...["--ws-auth", "signed-bearer-token", "--ws-shared-secret-file", secretFile],
    ...["--ws-issuer", "codex-js", "--ws-audience", "app-server"],
  ]);
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: "codex-js", aud: "app-server", iat: now, exp: now + 600 };
  const valid = signToken(secret, claims);
  const expired = signToken(secret, { ...claims, exp: now - 6_000 });
  expect((await connect(url, { token: valid }).request("thread/list", {})).data).toEqual([]);
  for (const token of [expired, signToken("x".repeat(48), claims)]) {
    expect(await describeFailure(connect(url, { token }))).toMatchObject({
      hint: "the token is wrong or no longer valid: pass the one that the server was started with",
    });
  }
});

test("where nobody listens", async () => {
  const [tcp, unix] = ["ws://127.0.0.1:1", `unix://${join(fixture.dir, "none.sock")}`];
  for (const url of [tcp, ...(process.platform === "win32" ? [] : [unix])]) {
    expect(await describeFailure(connect(url!))).toMatchObject({
      code: "CODEX_JS_SDK_ENGINE_NOT_STARTED",
      message: expect.stringContaining(`cannot join the app-server at ${url}: connect E`),
      hint: "nobody listens there: start `codex app-server --listen URL`",
    });
  }
});

test("who is no app-server", async () => {
  const web = createServer((_, response) => response.writeHead(404).end());
  let upgrade = "HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n";
  let payload = "";
  web.on("upgrade", (request, socket) => {
    const accept = createHash("sha1").update(
      `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`,
    );
    const frame = Buffer.concat([Buffer.from([0x81, payload.length]), Buffer.from(payload)]);
    socket.on("error", () => {});
    socket.write(upgrade.replace("ACCEPT", accept.digest("base64")));
    if (payload !== "") socket.once("data", () => socket.write(frame));
  });
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    web.closeAllConnections();
    web.close();
  });
  const url = `ws://127.0.0.1:${(web.address() as AddressInfo).port}`;
  expect(await describeFailure(connect(url))).toMatchObject({ hint: "it is no app-server" });

  // A WebSocket, but of somebody who talks otherwise, or says nothing, or has another kind of engine.
  upgrade = upgrade.replace("\r\n\r\n", "\r\nsec-websocket-accept: ACCEPT\r\n\r\n");
  payload = "hello";
  expect(await describeFailure(connect(url))).toMatchObject({
    code: "CODEX_JS_SDK_ENGINE_NOT_STARTED",
    message: `what listens at ${url} does not answer like an app-server: the engine sent something that is not JSON: hello`,
  });
  payload = "";
  expect(await describeFailure(connect(url, { connectTimeoutMs: 200 }))).toMatchObject({
    message: `what listens at ${url} does not answer like an app-server: initialize was not answered within 200 ms`,
  });
  payload = '{"id":0,"result":{"userAgent":"other"}}';
  expect(await describeFailure(connect(url, { minEngineVersion: "0.171.0" }))).toMatchObject({
    code: "CODEX_JS_SDK_ENGINE_TOO_OLD",
    message: "the engine is version unknown (other), at least 0.171.0 is needed",
  });
});

test.skipIf(process.platform === "win32")("an engine below the floor", async () => {
  const socket = join(fixture.dir, "app.sock");
  await serve(["--listen", `unix://${socket}`], () => existsSync(socket));
  expect(await describeFailure(connect(`unix://${socket}`, { minEngineVersion: "99.0.0" }))).toMatchObject({
    code: "CODEX_JS_SDK_ENGINE_TOO_OLD",
    message: "the engine is version 0.171.0, at least 99.0.0 is needed",
  });
});
