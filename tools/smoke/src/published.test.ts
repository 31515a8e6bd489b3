import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { fetchPublished, verifyTarball } from "./published.ts";

const context = { fetch: globalThis.fetch, signal: new AbortController().signal };

async function withServer<T>(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const packument = {
  versions: {
    "1.0.0": { dist: { integrity: "sha512-x", tarball: "http://r/b.tgz" } },
    "1.0.1": { dist: { integrity: "sha512-y", tarball: "http://r/c.tgz" }, os: ["win32"] },
  },
};

test("reads one version of an abbreviated packument", async () => {
  const asked: unknown[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    asked.push([request.url, request.headers.accept]);
    response.end(JSON.stringify(packument));
  };
  await withServer(answer, async (url) => {
    expect(await fetchPublished(`${url}/`, { name: "@a/b", version: "1.0.0" }, context)).toEqual({
      name: "@a/b",
      version: "1.0.0",
      integrity: "sha512-x",
      tarballUrl: "http://r/b.tgz",
      platformBound: false,
    });
    const windowsOnly = await fetchPublished(url, { name: "@a/b", version: "1.0.1" }, context);
    expect(windowsOnly.platformBound).toBe(true);
  });
  expect(asked[0]).toEqual(["/@a%2fb", "application/vnd.npm.install-v1+json"]);
});

test("a version that is not there is no network failure", async () => {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    response.statusCode = request.url === "/gone" ? 404 : 200;
    response.end(JSON.stringify(packument));
  };
  await withServer(answer, async (url) => {
    const codes = ["gone", "there"].map((name) => fetchPublished(url, { name, version: "9.0.0" }, context));
    for (const code of codes) {
      await expect(code).rejects.toMatchObject({ code: "CODEX_JS_SMOKE_NOT_PUBLISHED", exitCode: 1 });
    }
  });
});

test.each([
  ["an error", 500, "{}", "answered 500"],
  ["no JSON", 200, "<html>", "sent an answer that cannot be read"],
])("a registry that answers with %s is an external failure", async (_, status, body, what) => {
  const answer = (_request: IncomingMessage, response: ServerResponse) => {
    response.statusCode = status;
    response.end(body);
  };
  await withServer(answer, async (url) => {
    await expect(fetchPublished(url, { name: "a", version: "1.0.0" }, context)).rejects.toMatchObject({
      code: "CODEX_JS_SMOKE_REGISTRY_FAILED",
      exitCode: 3,
      message: `${url}/a ${what}`,
    });
  });
});

test("a registry that is down is an external failure", async () => {
  const url = await withServer(
    () => undefined,
    async (closed) => closed,
  );
  await expect(fetchPublished(url, { name: "a", version: "1.0.0" }, context)).rejects.toMatchObject({
    code: "CODEX_JS_SMOKE_REGISTRY_FAILED",
    exitCode: 3,
    message: `${url}/a cannot be reached`,
  });
});

test("a tarball has to have the promised bytes", async () => {
  const integrity = `sha512-${createHash("sha512").update("bytes").digest("base64")}`;
  await withServer(
    (request, response) => void response.end(request.url === "/good" ? "bytes" : "byte"),
    async (url) => {
      const published = { name: "a", version: "1.0.0", integrity, platformBound: false };
      await verifyTarball({ ...published, tarballUrl: `${url}/good` }, context);
      await expect(
        verifyTarball({ ...published, tarballUrl: `${url}/short` }, context),
      ).rejects.toMatchObject({
        code: "CODEX_JS_SMOKE_WRONG_BYTES",
        exitCode: 1,
        message: expect.stringContaining(`${url}/short has 4 bytes`),
      });
    },
  );
});
