import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { runProcess } from "./process.ts";
import { isProcessAlive } from "./process-state.ts";
import { withTempDir } from "./temp-dir.ts";

const node = process.execPath;
const options = { cwd: process.cwd(), env: { PATH: process.env.PATH } };

test("returns output, code and duration, and forwards lines as they come", async () => {
  const lines: string[] = [];
  const result = await runProcess(node, ["-e", "console.log('one\\ntwo'); console.error('three')"], {
    ...options,
    onLine: (line) => lines.push(line),
  });
  expect({ ...result, durationMs: result.durationMs > 0, lines: lines.sort() }).toEqual({
    exitCode: 0,
    signal: null,
    stdout: "one\ntwo\n",
    stderr: "three\n",
    durationMs: true,
    lines: ["one", "three", "two"],
  });
});

test("a failing child becomes an error with its last output", async () => {
  await expect(
    runProcess(node, ["-e", "console.error('disk full'); process.exit(7)"], options),
  ).rejects.toMatchObject({
    code: "CODEX_JS_PROCESS_FAILED",
    exitCode: 3,
    message: expect.stringMatching(/exited with code 7\ndisk full$/),
  });
});

test("a program that is not there is an error, not an exit code", async () => {
  await expect(
    runProcess("codex-js-no-such-program", [], { ...options, okExitCodes: "any" }),
  ).rejects.toMatchObject({
    code: "CODEX_JS_PROCESS_FAILED",
    message: expect.stringContaining("could not be run"),
  });
});

test("accepts the exit codes that the caller names", async () => {
  const result = await runProcess(node, ["-e", "process.exit(1)"], { ...options, okExitCodes: [0, 1] });
  expect(result.exitCode).toBe(1);
});

// opencode#20899: a child of the child survived the stop of its grandparent.
test.skipIf(process.platform === "win32")("aborting ends grandchildren too", async () => {
  await withTempDir("codex-js-process", async (dir) => {
    const pidFile = join(dir, "pid");
    const script = `
      const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
      require("node:fs").writeFileSync(${JSON.stringify(pidFile)}, String(child.pid));
      setInterval(() => {}, 1000);`;
    const abort = new AbortController();
    const running = runProcess(node, ["-e", script], { ...options, signal: abort.signal });
    while (!existsSync(pidFile) || readFileSync(pidFile, "utf8") === "") await sleep(10);
    abort.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    const grandchild = Number(readFileSync(pidFile, "utf8"));
    while (isProcessAlive(grandchild)) await sleep(10);
  });
});
