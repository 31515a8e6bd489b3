import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tryStartLock } from "./start-lock.ts";

let dir: string;
let lock: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "codex-js-lock-"));
  lock = join(dir, "lock");
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test("of many at once one gets it, and the next one after that one has let go", async () => {
  const locks = await Promise.all(Array.from({ length: 20 }, () => tryStartLock(lock)));
  const held = locks.filter((unlock) => unlock !== undefined);
  expect(held).toHaveLength(1);
  expect(await readdir(dir)).toEqual(["lock"]);
  await held[0]!();
  expect(await readdir(dir)).toEqual([]);
  expect(await tryStartLock(lock)).toBeDefined();
});

const holder = `
  const { tryStartLock } = await import(${JSON.stringify(new URL("./start-lock.ts", import.meta.url).href)});
  await tryStartLock(process.argv[1]);
  console.log("held");
  process.stdin.resume();
`;

test.skipIf(process.platform === "win32")("a killed program's lock holds nobody up", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", holder, lock], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  expect(await tryStartLock(lock)).toBeUndefined();
  child.kill("SIGKILL");
  await ended;
  const locks = await Promise.all(Array.from({ length: 20 }, () => tryStartLock(lock)));
  expect(locks.filter((unlock) => unlock !== undefined)).toHaveLength(1);
  expect(await readdir(dir)).toEqual(["lock"]);
});

test("many find the same dead lock, many times over; so is one whose heir was killed before taking it", async () => {
  for (let round = 0; round < 30; round++) {
    const dead = (id: string) => JSON.stringify({ pid: process.pid, startTime: "before", id });
    await writeFile(lock, dead("first"));
    if (round % 2 === 0) await writeFile(`${lock}.first`, dead("second"));
    const locks = await Promise.all(Array.from({ length: 20 }, () => tryStartLock(lock)));
    const held = locks.filter((unlock) => unlock !== undefined);
    expect(held).toHaveLength(1);
    expect(await readdir(dir)).toEqual(["lock"]);
    await held[0]!();
  }
});

test("a damaged lock holds nobody up; a late unlock leaves another's lock alone", async () => {
  await writeFile(lock, "{");
  const unlock = await tryStartLock(lock);
  expect(unlock).toBeDefined();
  await writeFile(lock, "another's");
  await unlock!();
  expect(await readFile(lock, "utf8")).toBe("another's");
});
