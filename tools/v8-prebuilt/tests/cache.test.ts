import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runNode } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { fetchPrebuilt, readLock } from "../src/index.ts";
import {
  archive,
  cannot,
  catchError,
  createContext,
  createFixture,
  createMirrorFolder,
  fetchFixture,
  listCache,
  sha256,
  target,
} from "./fixture.ts";

test("hands cargo paths that hold the digests, and says all about them", async () => {
  const fixture = await createFixture();
  const { report } = await fetchFixture(fixture);
  const root = join(fixture.cacheRoot, "v8", "sha256");
  const binding = report.targets[0]!.binding!;
  expect(report).toEqual({
    version: 1,
    v8: "1.2.3",
    lock: fixture.lockFile,
    origin: "a test",
    targets: [
      {
        target,
        archive: {
          path: join(root, sha256(archive), "librusty_v8.a.gz"),
          sha256: sha256(archive),
          sizeBytes: archive.length,
          source: "network",
        },
        binding: {
          path: join(root, binding.sha256, "src_binding.rs"),
          sha256: sha256(readFileSync(binding.path)),
          sizeBytes: 15,
          source: "network",
        },
        env: {
          RUSTY_V8_ARCHIVE: join(root, sha256(archive), "librusty_v8.a.gz"),
          RUSTY_V8_SRC_BINDING_PATH: binding.path,
        },
      },
    ],
  });
});

test("a warm cache asks nobody, and is enough offline when the server is gone", async () => {
  const fixture = await createFixture();
  await fetchFixture(fixture);
  const requests = fixture.server.requests.length;
  const again = await fetchFixture(fixture);
  expect(fixture.server.requests.length).toBe(requests);
  await fixture.server.close();
  const offline = await fetchFixture(fixture, { offline: true });
  for (const { report } of [again, offline]) {
    expect([report.targets[0]?.archive.source, report.targets[0]?.binding?.source]).toEqual([
      "cache",
      "cache",
    ]);
  }
});

test("a warm cache does not read the mirror, which may be gone", async () => {
  const fixture = await createFixture();
  const mirror = await createMirrorFolder(fixture.dir);
  const first = await fetchFixture(fixture, { mirror });
  rmSync(mirror, { recursive: true });
  const second = await fetchFixture(fixture, { mirror });
  const sources = [first, second].map(({ report }) => report.targets[0]?.archive.source);
  expect(sources).toEqual(["mirror", "cache"]);
  expect(fixture.server.requests).toEqual([]);
});

test("a flipped byte is noticed, told, and fetched anew", async () => {
  const fixture = await createFixture();
  const { report } = await fetchFixture(fixture);
  const { path } = report.targets[0]!.archive;
  const flipped = Buffer.from(archive);
  flipped[100_000]! ^= 1;
  writeFileSync(path, flipped);
  const again = await fetchFixture(fixture);
  expect(again.events).toContainEqual(
    expect.objectContaining({ type: "damaged", path, received: sha256(flipped) }),
  );
  expect(again.report.targets[0]?.archive).toMatchObject({ path, source: "network" });
  expect(sha256(readFileSync(path))).toBe(sha256(archive));
});

test("a damaged file is never handed out, not even offline", async () => {
  const fixture = await createFixture();
  const { path } = (await fetchFixture(fixture)).report.targets[0]!.archive;
  writeFileSync(path, archive.subarray(0, 1000));
  expect(await catchError(fetchFixture(fixture, { offline: true }))).toMatchObject({
    code: "CODEX_JS_V8_OFFLINE",
  });
  const { report } = await fetchFixture(fixture);
  expect(report.targets[0]?.archive).toMatchObject({ path, source: "network" });
});

test("a folder in the file's place is replaced", async () => {
  const fixture = await createFixture();
  const path = join(fixture.cacheRoot, "v8", "sha256", sha256(archive), "librusty_v8.a.gz");
  mkdirSync(join(path, "something"), { recursive: true });
  await fetchFixture(fixture);
  expect(sha256(readFileSync(path))).toBe(sha256(archive));
});

test("offline with a cold cache says what is missing, and asks nobody", async () => {
  const fixture = await createFixture();
  expect(await catchError(fetchFixture(fixture, { offline: true }))).toEqual({
    code: "CODEX_JS_V8_OFFLINE",
    message: `${cannot}its binding is not in ${fixture.cacheRoot}, and the network is not to be used: it would come from ${new URL(fixture.server.url).host}`,
  });
  expect(fixture.server.requests).toEqual([]);
});

test("a mirror's URL is network, and offline says so", async () => {
  const fixture = await createFixture();
  const { message } = await catchError(fetchFixture(fixture, { mirror: fixture.server.url, offline: true }));
  const { host } = new URL(fixture.server.url);
  expect(message).toContain(`the network is not to be used: the mirror's URL is network as well (${host})`);
  expect(fixture.server.requests).toEqual([]);
});

test("a mirror's folder is no network", async () => {
  const fixture = await createFixture();
  const mirror = await createMirrorFolder(fixture.dir);
  const { report } = await fetchFixture(fixture, { mirror, offline: true });
  expect(report.targets[0]?.archive.source).toBe("mirror");
});

test("several at once, in one process and in others, all get the whole file", async () => {
  const fixture = await createFixture();
  const cli = join(import.meta.dirname, "..", "src", "cli.ts");
  const flags = ["--lock", fixture.lockFile, "--target", target, "--json"];
  const env = { PATH: process.env.PATH, CODEX_JS_CACHE: fixture.cacheRoot };
  const runs = await Promise.all([
    fetchFixture(fixture).then(({ report }) => report),
    fetchFixture(fixture).then(({ report }) => report),
    ...[1, 2].map(async () => {
      const { stdout } = await runNode(cli, ["fetch", ...flags], { cwd: fixture.dir, env });
      return JSON.parse(stdout) as Awaited<ReturnType<typeof fetchPrebuilt>>;
    }),
  ]);
  const paths = runs.map(({ targets }) => targets[0]!.archive.path);
  expect(new Set(paths).size).toBe(1);
  expect(sha256(readFileSync(paths[0]!))).toBe(sha256(archive));
  expect(listCache(fixture.cacheRoot)).toEqual([join("v8", "sha256", sha256(archive), "librusty_v8.a.gz")]);
});

test("a cache that cannot be written says so", async () => {
  const fixture = await createFixture();
  writeFileSync(fixture.cacheRoot, "a file, no folder");
  expect(await catchError(fetchFixture(fixture))).toMatchObject({ code: "CODEX_JS_V8_CACHE" });
});

test("of several targets that fail, all are told", async () => {
  const fixture = await createFixture();
  const lock = await readLock(fixture.lockFile);
  const elsewhere = lock.assets
    .filter(({ kind }) => kind === "archive")
    .map((asset) => ({ ...asset, target: "aarch64-unknown-linux-gnu", path: "nothing/here.a.gz" }));
  const wrong = lock.assets.map((asset) => ({ ...asset, sha256: "0".repeat(64) }));
  const run = fetchPrebuilt({
    context: createContext(fixture),
    lock: { ...lock, assets: [...elsewhere, ...wrong] },
    targets: "all",
  });
  const { code, message } = await catchError(run);
  expect(code).toBe("CODEX_JS_V8_SEVERAL");
  expect(message.split("\n")).toEqual([
    "V8 1.2.3 cannot be fetched:",
    `  aarch64-unknown-linux-gnu: ${fixture.server.url}nothing/here.a.gz is not there (HTTP 404) (CODEX_JS_V8_NOT_FOUND)`,
    "    fix: check the mirror's URL: files lie below it as the lock's `path` says",
    expect.stringMatching(`^  ${target}: .+ is not what the lock pins: .+ \\(CODEX_JS_V8_DIGEST\\)$`),
    "    fix: a mirror of other bytes needs its own lock: --lock, CODEX_JS_V8_LOCK",
    "2 of 2 targets failed",
  ]);
});

test("several targets that fail alike have the code and the fix of each", async () => {
  const fixture = await createFixture();
  const lock = await readLock(fixture.lockFile);
  const assets = ["aarch64-unknown-linux-gnu", "x86_64-apple-darwin"].map((triple) => ({
    ...lock.assets.find(({ kind }) => kind === "archive")!,
    target: triple,
    path: `nothing/${triple}.a.gz`,
  }));
  const run = fetchPrebuilt({
    context: createContext(fixture),
    lock: { ...lock, assets: [...lock.assets, ...assets] },
    targets: "all",
  });
  await expect(run).rejects.toMatchObject({
    code: "CODEX_JS_V8_NOT_FOUND",
    hint: "check the mirror's URL: files lie below it as the lock's `path` says",
    message: expect.stringMatching(/^V8 1\.2\.3 cannot be fetched:\n {2}.+\n {2}.+\n2 of 3 targets failed$/),
  });
});
