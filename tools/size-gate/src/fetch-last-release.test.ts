import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { create } from "tar";
import { expect, test } from "vitest";
import { fetchLastRelease } from "./fetch-last-release.ts";
import type { LastRelease } from "./types.ts";

const name = "@fixture/a";
const context = { fetch: globalThis.fetch, signal: new AbortController().signal };

interface Seen {
  method: string | undefined;
  url: string | undefined;
  authorization: string | undefined;
}

async function withServer(listener: RequestListener, use: (url: string) => Promise<void>): Promise<Seen[]> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    seen.push({ method: request.method, url: request.url, authorization: request.headers.authorization });
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return seen;
}

const packument = (host: string | undefined, dist: object, tags: object = { latest: "1.1.0" }) =>
  JSON.stringify({
    name,
    "dist-tags": tags,
    versions: {
      "1.1.0": { dist: { tarball: `http://${host}/a/-/a-1.1.0.tgz`, ...dist } },
      "2.0.0-beta.1": { dist: { tarball: "http://127.0.0.1:1/never" } },
    },
  });

test("takes the sizes from the packument and the tarball's length from a HEAD", async () => {
  const seen = await withServer(
    (request, response) =>
      request.method === "HEAD"
        ? response.writeHead(200, { "content-length": "4321" }).end()
        : response.end(packument(request.headers.host, { unpackedSize: 9876, fileCount: 5 })),
    async (url) => {
      expect(await fetchLastRelease(name, { url, authorization: "Bearer secret" }, context)).toEqual({
        status: "published",
        version: "1.1.0",
        packedBytes: 4321,
        unpackedBytes: 9876,
        fileCount: 5,
      });
    },
  );
  expect(seen).toEqual([
    { method: "GET", url: "/@fixture%2fa", authorization: "Bearer secret" },
    { method: "HEAD", url: "/a/-/a-1.1.0.tgz", authorization: "Bearer secret" },
  ]);
});

test("a token does not go to another origin", async () => {
  const files = await withServer(
    (_, response) => response.writeHead(200, { "content-length": "1" }).end(),
    async (filesUrl) => {
      await withServer(
        (_, response) => response.end(packument(new URL(filesUrl).host, { unpackedSize: 1, fileCount: 1 })),
        async (url) => {
          const last = await fetchLastRelease(name, { url, authorization: "Bearer secret" }, context);
          expect(last).toMatchObject({ status: "published", packedBytes: 1 });
        },
      );
    },
  );
  expect(files).toEqual([{ method: "HEAD", url: "/a/-/a-1.1.0.tgz", authorization: undefined }]);
});

test("where the registry knows no sizes, the tarball is measured", () =>
  withTempDir("codex-js-size-test", async (dir) => {
    await mkdir(join(dir, "package"));
    await writeFile(join(dir, "package/package.json"), JSON.stringify({ name, version: "1.1.0" }));
    await create({ file: join(dir, "a.tgz"), gzip: true, cwd: dir }, ["package"]);
    const bytes = await readFile(join(dir, "a.tgz"));
    await withServer(
      (request, response) =>
        response.end(request.url?.endsWith(".tgz") ? bytes : packument(request.headers.host, {})),
      async (url) => {
        expect(await fetchLastRelease(name, { url }, context)).toEqual({
          status: "published",
          version: "1.1.0",
          packedBytes: bytes.length,
          unpackedBytes: JSON.stringify({ name, version: "1.1.0" }).length,
          fileCount: 1,
        });
      },
    );
  }));

test.each<[string, RequestListener, LastRelease["status"], string]>([
  ["404", (_, response) => response.writeHead(404).end("{}"), "first-release", ""],
  ["every version unpublished", (_, response) => response.end('{"versions":{}}'), "first-release", ""],
  ["401", (_, response) => response.writeHead(401).end(), "unknown", "answered 401: log in with npm login"],
  ["500", (_, response) => response.writeHead(500).end(), "unknown", "answered 500"],
  ["a page of HTML", (_, response) => response.end("<html>"), "unknown", "no JSON"],
  [
    "a tag without its version",
    (_, response) => response.end('{"dist-tags":{"latest":"9.0.0"}}'),
    "unknown",
    "9.0.0",
  ],
  [
    "a connection that breaks",
    (request) => request.socket.destroy(),
    "unknown",
    "could not be reached: UND_ERR_SOCKET",
  ],
  [
    "a tarball that is a page",
    (request, response) =>
      response.end(request.url?.endsWith(".tgz") ? "<html>" : packument(request.headers.host, {})),
    "unknown",
    "answered 6 B that are no npm tarball",
  ],
])("%s", async (_, listener, status, reason) => {
  await withServer(listener, async (url) => {
    const last = await fetchLastRelease(name, { url }, context);
    expect(last.status).toBe(status);
    if (last.status === "unknown") expect(last.reason).toContain(reason);
  });
});

test("a registry that is not there, and one with a password in its URL", async () => {
  let gone = "";
  await withServer(
    () => {},
    async (url) => {
      gone = url;
    },
  );
  expect(await fetchLastRelease(name, { url: gone }, context)).toEqual({
    status: "unknown",
    reason: `${gone}@fixture%2fa could not be reached: ECONNREFUSED`,
  });
  const secret = gone.replace("://", "://user:hunter2@");
  expect(JSON.stringify(await fetchLastRelease(name, { url: secret }, context))).not.toContain("hunter2");
});

test("stopping the command is not an unknown release", async () => {
  const abort = new AbortController();
  await withServer(
    () => abort.abort(new Error("stopped")),
    async (url) => {
      await expect(fetchLastRelease(name, { url }, { ...context, signal: abort.signal })).rejects.toThrow(
        "stopped",
      );
    },
  );
});
