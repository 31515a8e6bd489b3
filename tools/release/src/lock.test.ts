import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { takeLock } from "./lock.ts";

const now = new Date("2026-01-02T03:04:05Z");

test("a second release is told which process holds the folder, and may go on when that is done", () =>
  withTempDir("codex-js-lock", async (dir) => {
    const file = join(dir, "lock.json");
    const first = await takeLock(file, now, "--registry-dir");
    await expect(takeLock(file, now, "--registry-dir")).rejects.toMatchObject({
      code: "CODEX_JS_RELEASE_LOCKED",
      exitCode: 3,
      message: `process ${process.pid} has been releasing into the same folder since 2026-01-02T03:04:05.000Z`,
      hint: expect.stringContaining("use another --registry-dir"),
    });
    await first[Symbol.asyncDispose]();
    await (await takeLock(file, now, "--registry-dir"))[Symbol.asyncDispose]();
    expect(readdirSync(dir)).toEqual([]);
  }));

test.each([
  ["of a process that is gone", () => JSON.stringify({ pid: deadPid(), startedAt: now.toISOString() })],
  ["that is no JSON", () => "{"],
  ["that names no process", () => "{}"],
])("a lock %s is taken over", (_, content) =>
  withTempDir("codex-js-lock", async (dir) => {
    const file = join(dir, "lock.json");
    writeFileSync(file, content());
    await using lock = await takeLock(file, now, "--registry-dir");
    expect(lock).toBeDefined();
    expect(readdirSync(dir)).toEqual(["lock.json"]);
  }),
);

function deadPid(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}
