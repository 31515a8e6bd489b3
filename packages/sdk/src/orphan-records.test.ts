import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { reapOrphans, recordEngine } from "./orphan-records.ts";
import { findEngineProcesses, identifyProcess, killEngineProcesses, markerVariable } from "./process-tree.ts";

let dir: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "codex-js-records-"));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await rm(dir, { recursive: true, force: true });
});

const marker = "00000000-0000-4000-8000-000000000000";

/** A process that stands for an engine, or for something it has started. */
async function start(script = "", env: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
  const code = `${script}; setInterval(() => {}, 1000); console.log("up")`;
  const child = spawn(process.execPath, ["-e", code], {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  children.push(child);
  await new Promise((resolve) => child.stdout!.once("data", resolve));
  return child;
}

const ended = (child: ChildProcess) =>
  child.signalCode !== null || new Promise<void>((resolve) => child.once("exit", () => resolve()));

/** A record whose host is gone: no process starts at the time that it names. */
async function writeOrphan(
  engine: unknown,
  host: unknown = { pid: process.pid, startTime: "never" },
): Promise<string> {
  const file = join(dir, `${marker}.json`);
  await writeFile(file, JSON.stringify({ version: 1, engine, marker, host }));
  return file;
}

describe.skipIf(process.platform === "win32")("records", () => {
  test("a record names both processes, is private, and goes when the engine does", async () => {
    const engine = await start();
    const records = join(dir, "records");
    const remove = await recordEngine(records, identifyProcess(engine.pid!), marker);
    const [file] = await readdir(records);
    expect(JSON.parse(await readFile(join(records, file!), "utf8"))).toEqual({
      version: 1,
      marker,
      engine: await identifyProcess(engine.pid!),
      host: await identifyProcess(process.pid),
    });
    expect(await reapOrphans(records)).toBe(0);
    expect((await identifyProcess(engine.pid!))?.pid).toBe(engine.pid);
    await remove();
    expect(await readdir(records)).toEqual([]);
  });

  test("an engine whose host is gone is killed, and its record removed", async () => {
    const engine = await start();
    await writeOrphan(await identifyProcess(engine.pid!));
    const exit = ended(engine);
    expect(await reapOrphans(dir)).toBeGreaterThan(0);
    await exit;
    expect([engine.signalCode, await readdir(dir)]).toEqual(["SIGKILL", []]);
  });

  test("a process that only has the number of an old engine is left alone", async () => {
    const other = await start();
    await writeOrphan({ pid: other.pid, startTime: "1" });
    expect(await reapOrphans(dir)).toBe(0);
    expect([(await identifyProcess(other.pid!))?.pid, await readdir(dir)]).toEqual([other.pid, []]);
  });

  test.each(["not json", "{}", '{"version":2}', '{"version":1,"engine":{"pid":1},"host":{}}'])(
    "a record that says %s kills nobody and is removed",
    async (text) => {
      await writeFile(join(dir, "x.json"), text);
      expect([await reapOrphans(dir), await readdir(dir)]).toEqual([0, []]);
    },
  );

  test("a record that is being written is left to its writer", async () => {
    await writeFile(join(dir, "x.json"), "");
    expect([await reapOrphans(dir), await readdir(dir)]).toEqual([0, ["x.json"]]);
  });

  test("a folder that others can write to, or a link to one, is not believed", async () => {
    const engine = await start();
    const shared = join(dir, "shared");
    await mkdir(shared);
    await writeFile(
      join(shared, "x.json"),
      JSON.stringify({
        version: 1,
        marker,
        engine: await identifyProcess(engine.pid!),
        host: { pid: process.pid, startTime: "never" },
      }),
    );
    await symlink(shared, join(dir, "link"));
    expect(await reapOrphans(join(dir, "link"))).toBe(0);
    await chmod(shared, 0o777);
    expect(await reapOrphans(shared)).toBe(0);
    const remove = await recordEngine(shared, identifyProcess(engine.pid!), marker);
    await remove();
    expect(await readdir(shared)).toEqual(["x.json"]);
    expect((await identifyProcess(engine.pid!))?.pid).toBe(engine.pid);
  });
});

describe.skipIf(process.platform !== "linux")("what an engine has started", () => {
  const spawnChild = (detached: boolean) =>
    `require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: ${detached}, stdio: "ignore" })`;

  test("is found while the engine lives and after it was killed, and nobody else is", async () => {
    const engine = await start(`${spawnChild(true)}; ${spawnChild(false)}`, { [markerVariable]: marker });
    await start();
    const identity = (await identifyProcess(engine.pid!))!;
    const before = await findEngineProcesses(identity, marker);
    expect([before[0], before.length]).toEqual([identity, 3]);
    const exit = ended(engine);
    engine.kill("SIGKILL");
    await exit;
    const pids = (found: { pid: number }[]) => found.map(({ pid }) => pid).sort();
    expect(pids(await findEngineProcesses(identity, marker))).toEqual(pids(before.slice(1)));
    expect(await killEngineProcesses(identity, marker)).toBe(2);
    expect(await findEngineProcesses(identity, marker)).toEqual([]);
  });

  test("a name with spaces and parentheses does not confuse the reader", async () => {
    const child = await start(`process.title = "a) Z 1 (b c"`);
    expect(await identifyProcess(child.pid!)).toEqual({
      pid: child.pid,
      startTime: expect.stringMatching(/^\d+$/),
    });
    expect(await identifyProcess(2 ** 22 + 1)).toBeUndefined();
  });
});
