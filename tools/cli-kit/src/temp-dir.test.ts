import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runProcess } from "./process.ts";
import { createTempDir, withTempDir } from "./temp-dir.ts";

const module = JSON.stringify(new URL("./temp-dir.ts", import.meta.url).href);
const tempEnv = (dir: string) => ({ PATH: process.env.PATH, TMPDIR: dir, TEMP: dir, TMP: dir });

/** A process that holds a temp folder with a file in it until it is killed. */
async function startHolder(tempDir: string) {
  const script = `import { writeFileSync } from "node:fs";
import { createTempDir } from ${module};
const { path } = await createTempDir("codex-js-holder");
writeFileSync(path + "/file", "");
process.stdout.write(path);
setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: tempEnv(tempDir),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [path] = await once(child.stdout.setEncoding("utf8"), "data");
  const kill = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { path: path as string, kill };
}

/** A run of any tool: makes a temp folder and removes it. */
function runTool(tempDir: string) {
  const script = `import { withTempDir } from ${module};
await withTempDir("codex-js-other", async () => {});`;
  return runProcess(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: tempDir,
    env: tempEnv(tempDir),
  });
}

test("what a killed process has left is removed by the next run, a living one's folder is not", () =>
  withTempDir("codex-js-temp-test", async (dir) => {
    const [killed, alive] = [await startHolder(dir), await startHolder(dir)];
    try {
      await runTool(dir);
      expect(readdirSync(dir).sort()).toEqual([killed.path, alive.path].map((path) => basename(path)).sort());
      await killed.kill();
      // Several at once get in nobody's way.
      await Promise.all([runTool(dir), runTool(dir), runTool(dir)]);
      expect(readdirSync(dir)).toEqual([basename(alive.path)]);
      expect(existsSync(join(alive.path, "file"))).toBe(true);
    } finally {
      await alive.kill();
    }
  }));

test("names of other programs, of other machines, and files stay", () =>
  withTempDir("codex-js-temp-test", async (dir) => {
    const killed = await startHolder(dir);
    await killed.kill();
    const name = basename(killed.path);
    const kept = [name.replace(".", "-"), name.replace(/-\w{6}\./, "-000000."), "codex-js-holder-Ab12Cd"];
    for (const each of kept) mkdirSync(join(dir, each));
    const file = name.replace(/\w{6}$/, "aaaaaa");
    writeFileSync(join(dir, file), "");
    await runTool(dir);
    expect(readdirSync(dir).sort()).toEqual([...kept, file].sort());
  }));

// Only Linux says when a process started.
test.skipIf(process.platform !== "linux")("a pid that somebody else has now is no living owner", () =>
  withTempDir("codex-js-temp-test", async (dir) => {
    const holder = await startHolder(dir);
    try {
      const earlier = basename(holder.path).replace(/\.\w+-(\w{6})$/, ".1-$1");
      renameSync(holder.path, join(dirname(holder.path), earlier));
      await runTool(dir);
      expect(readdirSync(dir)).toEqual([]);
    } finally {
      await holder.kill();
    }
  }),
);

test("a folder beside the result, which can be renamed into its place", () =>
  withTempDir("codex-js-temp-test", async (dir) => {
    const temp = await createTempDir("codex-js-beside", dir);
    expect(dirname(temp.path)).toBe(dir);
    await temp.remove();
    expect(readdirSync(dir)).toEqual([]);
  }));
