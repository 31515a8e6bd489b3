import type { Behaviour } from "@codex-js/testkit/flaky-server";
import { expect, test } from "vitest";
import { defaultPolicy } from "../src/limits.ts";
import {
  archive,
  archivePath,
  cannot,
  catchError,
  createContext,
  createFixture,
  fetchFixture,
  listCache,
  sha256,
  testPolicy,
} from "./fixture.ts";

const html = "<!DOCTYPE html>\n<html><body>Sign in</body></html>";
const serve: Behaviour = { type: "serve" };
const htmlHeaders = { "content-type": "text/html; charset=utf-8" };
const status = (code: number, headers = {}): Behaviour => ({ type: "status", status: code, headers });

/** What comes whole and wrong will come no better: asked for once, nothing kept. */
const wrongAnswers: [name: string, behaviour: Behaviour, code: string][] = [
  [
    "an HTML page with status 200",
    { type: "status", status: 200, body: html, headers: htmlHeaders },
    "CODEX_JS_V8_NOT_THE_FILE",
  ],
  [
    "an HTML page that is said to be an archive",
    { type: "status", status: 200, body: html, headers: { "content-type": "application/gzip" } },
    "CODEX_JS_V8_NOT_THE_FILE",
  ],
  ["an empty body", { type: "truncate", bytes: 0 }, "CODEX_JS_V8_NOT_THE_FILE"],
  ["a truncated gzip", { type: "truncate", bytes: 100_000 }, "CODEX_JS_V8_DIGEST"],
  ["404", status(404), "CODEX_JS_V8_NOT_FOUND"],
  ["410", status(410), "CODEX_JS_V8_NOT_FOUND"],
  ["401", status(401), "CODEX_JS_V8_HTTP_STATUS"],
  ["403", status(403), "CODEX_JS_V8_HTTP_STATUS"],
  ["204", status(204), "CODEX_JS_V8_HTTP_STATUS"],
  ["a redirect without a place", status(302), "CODEX_JS_V8_HTTP_STATUS"],
  ["a pause of an hour", status(503, { "retry-after": "3600" }), "CODEX_JS_V8_HTTP_STATUS"],
];

test.each(wrongAnswers)("%s is refused at once and leaves nothing", async (_name, behaviour, code) => {
  const fixture = await createFixture({ behaviours: [behaviour] });
  expect(await catchError(fetchFixture(fixture))).toMatchObject({ code });
  expect(fixture.archiveRequests()).toBe(1);
  expect(listCache(fixture.cacheRoot)).toEqual([]);
});

test("a redirect to a login page is refused, and named", async () => {
  const fixture = await createFixture({
    behaviours: [{ type: "redirect", location: "/login?next=archive" }],
    files: { "/login": { content: Buffer.from(html) } },
  });
  expect(await catchError(fetchFixture(fixture))).toEqual({
    code: "CODEX_JS_V8_NOT_THE_FILE",
    message: `${cannot}${fixture.server.url}${archivePath} answers with a web page after a redirect to ${fixture.server.url}login`,
  });
  expect(listCache(fixture.cacheRoot)).toEqual([]);
});

test("a redirect to the file is followed, one without an end is not", async () => {
  const moved = await createFixture({
    behaviours: [{ type: "redirect", location: "/elsewhere", status: 307 }],
    files: { "/elsewhere": { content: archive } },
  });
  expect((await fetchFixture(moved)).report.targets[0]?.archive.source).toBe("network");
  const loop = await createFixture({
    behaviours: [{ type: "redirect", location: "/a" }],
    files: {
      "/a": { content: archive, behaviours: [{ type: "redirect", location: "/b" }] },
      "/b": { content: archive, behaviours: [{ type: "redirect", location: "/a" }] },
    },
  });
  expect(await catchError(fetchFixture(loop))).toMatchObject({ code: "CODEX_JS_V8_REDIRECT" });
  expect(listCache(loop.cacheRoot)).toEqual([]);
});

test("a digest that is not the lock's says both", async () => {
  const fixture = await createFixture({ locked: { sha256: "0".repeat(64) } });
  expect(await catchError(fetchFixture(fixture))).toEqual({
    code: "CODEX_JS_V8_DIGEST",
    message: `${cannot}${fixture.server.url}${archivePath} is not what the lock pins: expected SHA-256 ${"0".repeat(64)}, received ${sha256(archive)} and ${archive.length} B`,
  });
  expect(fixture.archiveRequests()).toBe(1);
  expect(listCache(fixture.cacheRoot)).toEqual([]);
});

test("more bytes than the lock says are not read", async () => {
  const fixture = await createFixture({ locked: { sizeBytes: 1000 } });
  expect(await catchError(fetchFixture(fixture))).toMatchObject({ code: "CODEX_JS_V8_SIZE" });
  expect(listCache(fixture.cacheRoot)).toEqual([]);
});

test("a truncated gzip that the lock itself pins is refused", async () => {
  const content = archive.subarray(0, 100_000);
  const fixture = await createFixture({ archive: { content } });
  expect(await catchError(fetchFixture(fixture))).toMatchObject({ code: "CODEX_JS_V8_DAMAGED_ARCHIVE" });
  expect(listCache(fixture.cacheRoot)).toEqual([]);
});

test("502 twice, then the file", async () => {
  const fixture = await createFixture({ behaviours: [status(502), status(502), serve] });
  const { report, events, waitsMs } = await fetchFixture(fixture);
  expect(report.targets[0]?.archive).toMatchObject({ sha256: sha256(archive), source: "network" });
  expect(fixture.archiveRequests()).toBe(3);
  expect(waitsMs).toHaveLength(2);
  expect(events.flatMap((event) => (event.type === "retry" ? [event.reason] : []))).toEqual([
    `${fixture.server.url}${archivePath} answers with HTTP 502`,
    `${fixture.server.url}${archivePath} answers with HTTP 502`,
  ]);
});

test.each([408, 425, 429, 500, 503, 504])("%i is asked again", async (code) => {
  const fixture = await createFixture({ behaviours: [status(code), serve] });
  await fetchFixture(fixture);
  expect(fixture.archiveRequests()).toBe(2);
});

test("a server that stays busy is given up, after as many attempts as the policy has", async () => {
  const fixture = await createFixture({ behaviours: [status(503)] });
  expect(await catchError(fetchFixture(fixture))).toMatchObject({ code: "CODEX_JS_V8_HTTP_STATUS" });
  expect(fixture.archiveRequests()).toBe(testPolicy.maxAttempts.busy);
  expect(listCache(fixture.cacheRoot)).toEqual([]);
});

test("waits as long as Retry-After says, and longer each time without it", async () => {
  const fixture = await createFixture({
    behaviours: [status(429, { "retry-after": "7" }), status(503), status(503), serve],
  });
  const backoff = { ...defaultPolicy.backoff, jitter: 0 };
  const { waitsMs } = await fetchFixture(fixture, { policy: { ...testPolicy, backoff } });
  expect(waitsMs).toEqual([7000, 1000, 2000]);
});

test("a broken connection is resumed where it broke", async () => {
  const fixture = await createFixture({
    behaviours: [{ type: "cut", afterBytes: 70_000 }, { type: "cut", afterBytes: 50_000 }, serve],
    archive: { etag: '"one"' },
  });
  const { report } = await fetchFixture(fixture);
  expect(report.targets[0]?.archive).toMatchObject({ sha256: sha256(archive), sizeBytes: archive.length });
  const [first, ...resumed] = fixture.server.requests.filter(({ path }) => path.endsWith(".gz"));
  expect(first).toMatchObject({ range: undefined, ifRange: undefined });
  expect(resumed.map(({ ifRange }) => ifRange)).toEqual(['"one"', '"one"']);
  // What was on its way when the connection broke may be lost.
  const starts = resumed.map(({ range }) => Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1]));
  expect(starts[0]).toBeGreaterThan(0);
  expect(starts[1]).toBeGreaterThan(starts[0]!);
});

test("starts over where the server has no ranges", async () => {
  const fixture = await createFixture({
    behaviours: [{ type: "cut", afterBytes: 70_000 }, serve],
    archive: { acceptsRanges: false },
  });
  const { report } = await fetchFixture(fixture);
  expect(report.targets[0]?.archive.sha256).toBe(sha256(archive));
  expect(fixture.server.requests.at(-1)?.range).toBeUndefined();
});

test.each([
  ["another range", status(206, { "content-range": "bytes 5-9/10" })],
  ["416", status(416)],
  [
    "other bytes in the right range",
    {
      type: "status",
      status: 206,
      body: "x".repeat(archive.length - 70_000),
      headers: { "content-range": `bytes 70000-${archive.length - 1}/${archive.length}` },
    },
  ],
] as [string, Behaviour][])("starts over when resuming gives %s", async (_name, behaviour) => {
  const fixture = await createFixture({
    behaviours: [{ type: "cut", afterBytes: 70_000 }, behaviour, serve],
  });
  const { report } = await fetchFixture(fixture);
  expect(report.targets[0]?.archive).toMatchObject({ sha256: sha256(archive), sizeBytes: archive.length });
  expect(fixture.server.requests.at(-1)?.range).toBeUndefined();
  expect(fixture.archiveRequests()).toBe(3);
});

test("the whole instead of the rest is taken from its beginning", async () => {
  const fixture = await createFixture({
    behaviours: [
      { type: "cut", afterBytes: 70_000 },
      { type: "redirect", location: "/moved" },
    ],
    files: { "/moved": { content: archive, acceptsRanges: false } },
  });
  const { report } = await fetchFixture(fixture);
  expect(report.targets[0]?.archive.sha256).toBe(sha256(archive));
});

test("a whole answer with other bytes is final, after a broken one too", async () => {
  const fixture = await createFixture({
    behaviours: [
      { type: "cut", afterBytes: 70_000 },
      { type: "status", status: 200, body: "other bytes" },
    ],
  });
  expect(await catchError(fetchFixture(fixture))).toMatchObject({ code: "CODEX_JS_V8_DIGEST" });
  expect(fixture.archiveRequests()).toBe(2);
});

test("the lock's bytes with another size than the lock's are not the lock's file", async () => {
  const fixture = await createFixture({ locked: { sizeBytes: archive.length + 1 } });
  expect(await catchError(fetchFixture(fixture))).toMatchObject({ code: "CODEX_JS_V8_DIGEST" });
  expect(listCache(fixture.cacheRoot)).toEqual([]);
});

test("a server that goes away in the middle is waited for longer than one that never was there", async () => {
  const fixture = await createFixture({ behaviours: [{ type: "cut", afterBytes: 70_000 }] });
  const waitsMs: number[] = [];
  const wait = async (ms: number) => {
    waitsMs.push(ms);
    await fixture.server.close();
  };
  expect(await catchError(fetchFixture(fixture, { wait }))).toMatchObject({ code: "CODEX_JS_V8_NO_NETWORK" });
  expect(waitsMs).toHaveLength(testPolicy.maxAttempts.broken - 1);
});

test("a connection that falls silent is left and resumed", async () => {
  const fixture = await createFixture({ behaviours: [{ type: "stall", afterBytes: 70_000 }, serve] });
  const { report } = await fetchFixture(fixture);
  expect(report.targets[0]?.archive.sha256).toBe(sha256(archive));
  expect(fixture.server.requests.at(-1)?.range).toBe("bytes=70000-");
});

test("a server that never answers is given up", async () => {
  const fixture = await createFixture({ behaviours: [{ type: "silence" }] });
  const policy = { ...testPolicy, maxAttempts: { ...testPolicy.maxAttempts, broken: 2 } };
  expect(await catchError(fetchFixture(fixture, { policy }))).toMatchObject({
    code: "CODEX_JS_V8_BROKEN_DOWNLOAD",
  });
  expect(fixture.archiveRequests()).toBe(2);
  expect(listCache(fixture.cacheRoot)).toEqual([]);
});

test("the whole has a limit of time", async () => {
  const fixture = await createFixture({ behaviours: [{ type: "stall", afterBytes: 10 }] });
  const policy = { ...testPolicy, idleTimeoutMs: 60_000, totalTimeoutMs: 300 };
  expect(await catchError(fetchFixture(fixture, { policy }))).toMatchObject({ code: "CODEX_JS_V8_TIMEOUT" });
  expect(listCache(fixture.cacheRoot)).toEqual([]);
});

test("nobody there: soon said, with the host", async () => {
  const fixture = await createFixture();
  await fixture.server.close();
  const { host } = new URL(fixture.server.url);
  expect(await catchError(fetchFixture(fixture))).toEqual({
    code: "CODEX_JS_V8_NO_NETWORK",
    message: `${cannot}${host} cannot be reached (ECONNREFUSED)`,
  });
});

test("a stop ends the download with its own reason and leaves nothing", async () => {
  const fixture = await createFixture({ behaviours: [{ type: "stall", afterBytes: 70_000 }] });
  const stop = new AbortController();
  const run = fetchFixture(fixture, {
    policy: defaultPolicy,
    context: { ...createContext(fixture), signal: stop.signal },
    onEvent: ({ type, asset }) => {
      if (type === "progress" && asset.kind === "archive") stop.abort(new Error("stopped by a test"));
    },
  });
  await expect(run).rejects.toThrow("stopped by a test");
  expect(listCache(fixture.cacheRoot)).toEqual([]);
});
