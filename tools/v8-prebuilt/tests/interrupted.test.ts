import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import {
  archive,
  archivePath,
  createFixture,
  type Fixture,
  fetchFixture,
  listCache,
  sha256,
  target,
} from "./fixture.ts";

const cli = join(import.meta.dirname, "..", "src", "cli.ts");
const stalling = { behaviours: [{ type: "stall", afterBytes: 70_000 }, { type: "serve" }] } as const;

/** The command in a process of its own, in the middle of the archive. */
async function startFetch(fixture: Fixture) {
  const child = spawn(process.execPath, [cli, "fetch", "--lock", fixture.lockFile, "--target", target], {
    cwd: fixture.dir,
    env: { PATH: process.env.PATH, CODEX_JS_CACHE: fixture.cacheRoot },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // The test's own deadline is the limit.
  while (listPartial(fixture).length === 0) await sleep(5);
  const end = async (signal: NodeJS.Signals) => {
    const closed = once(child, "close");
    child.kill(signal);
    const [exitCode] = (await closed) as [number | null];
    return { exitCode, stderr };
  };
  return { end };
}

/** Archives under way. */
function listPartial({ cacheRoot }: Fixture): string[] {
  const dir = join(cacheRoot, "v8", "tmp");
  const names = existsSync(dir) ? readdirSync(dir, { recursive: true, encoding: "utf8" }) : [];
  return names.filter((name) => name.endsWith("librusty_v8.a.gz"));
}

test("what kill -9 leaves is never used, and goes with the next fetch", async () => {
  const fixture = await createFixture(stalling);
  const { end } = await startFetch(fixture);
  expect((await end("SIGKILL")).exitCode).toBeNull();
  expect(listCache(fixture.cacheRoot)).toEqual([expect.stringMatching(/^v8.tmp.fetch-/)]);
  const other = await startOther(fixture);
  expect(other).toMatchObject({ exitCode: 0 });
  expect(listCache(fixture.cacheRoot)).toEqual([join("v8", "sha256", sha256(archive), "librusty_v8.a.gz")]);
});

test("Ctrl-C leaves nothing", async () => {
  const fixture = await createFixture(stalling);
  const { end } = await startFetch(fixture);
  const { exitCode, stderr } = await end("SIGINT");
  expect([exitCode, stderr]).toEqual([130, expect.stringContaining("CODEX_JS_CLI_INTERRUPTED")]);
  expect(listCache(fixture.cacheRoot)).toEqual([]);
  expect(listPartial(fixture)).toEqual([]);
  const { report } = await fetchFixture(fixture);
  expect(report.targets[0]?.archive.sha256).toBe(sha256(archive));
  expect(fixture.server.requests.filter(({ path }) => path === `/${archivePath}`)).toHaveLength(2);
});

/** A process of its own: leftovers are looked for once in each. */
async function startOther(fixture: Fixture) {
  const child = spawn(process.execPath, [cli, "fetch", "--lock", fixture.lockFile, "--target", target], {
    cwd: fixture.dir,
    env: { PATH: process.env.PATH, CODEX_JS_CACHE: fixture.cacheRoot },
    stdio: "ignore",
  });
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode };
}
