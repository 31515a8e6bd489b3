import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ToolError, withTempDir } from "@codex-js/cli-kit";
import { targets } from "@codex-js/platforms";
import { expect, test } from "vitest";
import {
  isRepositoryLock,
  listAssets,
  listTargets,
  parseLock,
  readLock,
  repositoryLockFile,
  resolveLockFile,
} from "./read-lock.ts";
import { formatLock } from "./write-lock.ts";

const digest = "0".repeat(64);
const row = { target: "x86_64-unknown-linux-gnu", kind: "archive", path: "a/b.a.gz", sha256: digest };
const lock = { version: 1, v8: "1.2.3", origin: "a test", baseUrl: "https://host/", assets: [row] };

function findProblems(value: unknown): string {
  try {
    parseLock(JSON.stringify(value), "LOCK");
    return "";
  } catch (error) {
    if (error instanceof ToolError && error.code === "CODEX_JS_V8_LOCK") return error.message;
    throw error;
  }
}

test("the repository's lock has an archive for every row of the platform table, and is as it is written", async () => {
  const own = await readLock();
  expect(listTargets(own).sort()).toEqual(targets.map(({ triple }) => triple).sort());
  expect(await isRepositoryLock(own)).toBe(true);
  const text = await readFile(repositoryLockFile, "utf8");
  expect(formatLock(parseLock(text, "LOCK"))).toBe(text);
});

test("a binding comes before its archive", async () => {
  const kinds = listAssets(await readLock(), "aarch64-apple-darwin").map(({ kind }) => kind);
  expect(kinds).toEqual(["binding", "archive"]);
});

test("only the very bytes of the repository's lock count as it", () =>
  withTempDir("codex-js-v8-lock-test", async (dir) => {
    const file = join(dir, "v8.lock.json");
    const text = await readFile(repositoryLockFile, "utf8");
    await writeFile(file, text);
    const copy = await readLock(file);
    await writeFile(file, text.replace("24d52c", "24d52d"));
    expect([await isRepositoryLock(copy), await isRepositoryLock(await readLock(file))]).toEqual([
      true,
      false,
    ]);
  }));

test.each([
  ["a lock", lock],
  ["one beside its files", { ...lock, baseUrl: "./" }],
  ["one above its files", { ...lock, baseUrl: "./files/" }],
  ["a row with an URL and a size", { ...lock, assets: [{ ...row, url: "https://other/x", sizeBytes: 1 }] }],
])("%s is read", (_name, value) => {
  expect(findProblems(value)).toBe("");
});

test.each([
  ["another version", { ...lock, version: 2 }],
  ["a key that nobody knows", { ...lock, extra: true }],
  ["no rows", { ...lock, assets: [] }],
  ["a folder above", { ...lock, assets: [{ ...row, path: "../b.a.gz" }] }],
  ["a hidden folder above", { ...lock, assets: [{ ...row, path: "a/../../b.a.gz" }] }],
  ["an absolute path", { ...lock, assets: [{ ...row, path: "/etc/passwd" }] }],
  ["a backslash", { ...lock, assets: [{ ...row, path: "a\\b" }] }],
  ["a URL as path", { ...lock, assets: [{ ...row, path: "https://host/b" }] }],
  ["a digest that is none", { ...lock, assets: [{ ...row, sha256: "abc" }] }],
  ["a base above", { ...lock, baseUrl: "../" }],
  ["a base without its slash", { ...lock, baseUrl: "https://host/x" }],
  ["a file as base", { ...lock, baseUrl: "file:///tmp/" }],
  ["two archives for a target", { ...lock, assets: [row, row] }],
  ["a binding alone", { ...lock, assets: [{ ...row, kind: "binding" }] }],
  ["nothing in it", {}],
  ["a list", []],
])("%s is refused", (_name, value) => {
  expect(findProblems(value)).toContain("LOCK is no lock of version 1:");
});

test("all that is wrong is told at once", () => {
  const problems = findProblems({ ...lock, v8: "new", assets: [{ ...row, sha256: "abc", path: "/x" }] });
  expect(["v8", "assets[0].sha256", "assets[0].path"].filter((place) => !problems.includes(place))).toEqual(
    [],
  );
});

test("the flag wins over the variable, which wins over the repository's", () => {
  const context = { cwd: "/work", env: { CODEX_JS_V8_LOCK: "by-variable" } };
  expect([
    resolveLockFile(context, "by-flag"),
    resolveLockFile(context),
    resolveLockFile({ cwd: "/work", env: { CODEX_JS_V8_LOCK: "" } }),
  ]).toEqual([join("/work", "by-flag"), join("/work", "by-variable"), repositoryLockFile]);
});
