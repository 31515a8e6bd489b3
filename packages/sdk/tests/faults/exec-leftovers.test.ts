import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntilGone } from "@codex-js/testkit/process-state";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Codex } from "../../src/index.ts";
import { until } from "../app-server/engine-fixture.ts";

const anywhere = { skipGitRepoCheck: true };
let dir: string;
let engine: string;
let quickEngine: string;
let host: ChildProcess | undefined;

// The marker in a process's environment can be read on Linux only.
describe.runIf(process.platform === "linux")("what an engine of one turn leaves behind", () => {
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "codex-js-leftovers-"));
    engine = await writeScript("engine", [
      "cat >/dev/null",
      `echo $$ >${dir}/engine.pid`,
      // A daemon: in a session of its own, with nobody above it, and deaf.
      `(setsid sh -c 'echo $$ >${dir}/daemon.pid; trap "" TERM INT; while :; do sleep 1; done' &)`,
      "exec sleep 600",
    ]);
    quickEngine = await writeScript("quick", ["cat >/dev/null"]);
  });
  afterEach(async () => {
    host?.kill("SIGKILL");
    await rm(dir, { recursive: true, force: true });
  });

  test("an abort ends what has a session of its own as well", async () => {
    const abort = new AbortController();
    const codex = new Codex({ codexPathOverride: engine, transport: "exec" });
    const turn = codex.startThread(anywhere).run("hello", { signal: abort.signal });
    const pids = await readPids();
    abort.abort();
    await expect(turn).rejects.toMatchObject({ name: "AbortError" });
    for (const pid of pids) await waitUntilGone(pid);
  });

  test("the next program ends what a killed one has left", async () => {
    const program = [
      `import { Codex } from ${JSON.stringify(new URL("../../src/index.ts", import.meta.url).href)};`,
      `const codex = new Codex({ codexPathOverride: ${JSON.stringify(engine)}, transport: "exec" });`,
      `await codex.startThread({ skipGitRepoCheck: true }).run("hello");`,
    ].join("\n");
    host = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "ignore" });
    const pids = await readPids();
    host.kill("SIGKILL");
    await waitUntilGone(host.pid!);
    const codex = new Codex({ codexPathOverride: quickEngine, transport: "exec" });
    await codex.startThread(anywhere).run("hello");
    for (const pid of pids) await waitUntilGone(pid);
  });
});

async function writeScript(name: string, lines: string[]): Promise<string> {
  const file = join(dir, name);
  await writeFile(file, ["#!/bin/sh", ...lines, ""].join("\n"));
  await chmod(file, 0o755);
  return file;
}

async function readPids(): Promise<number[]> {
  const files = ["engine.pid", "daemon.pid"].map((name) => join(dir, name));
  await until(() => files.every((file) => existsSync(file) && readFileSync(file, "utf8").endsWith("\n")));
  return files.map((file) => Number(readFileSync(file, "utf8")));
}
