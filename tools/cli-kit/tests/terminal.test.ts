import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isProcessAlive, withTempDir } from "../src/index.ts";
import { noTerminalReason, startInTerminal, type TerminalProcess } from "../src/testing/run-in-terminal.ts";

const command = [process.execPath, fileURLToPath(new URL("fixture-command.ts", import.meta.url))];
const onTerminal = test.skipIf(noTerminalReason !== undefined);
const note = noTerminalReason === undefined ? "" : ` (skipped: ${noTerminalReason})`;
const eraseLine = "\r\u001b[2K";

interface Work {
  terminal: TerminalProcess;
  /** Written by the command's clean-up. */
  marker: string;
}

/** Starts a command that works until it is stopped, and waits until it is at work. */
async function withWork(name: string, use: (work: Work) => Promise<void>): Promise<void> {
  await withTempDir("codex-js-terminal-test", async (dir) => {
    const marker = join(dir, "marker");
    const terminal = startFixture(dir, [name, marker]);
    await terminal.waitFor("ready ");
    await use({ terminal, marker });
  });
}

function startFixture(cwd: string, args: string[]): TerminalProcess {
  const { PATH, HOME } = process.env;
  return startInTerminal([...command, ...args], { cwd, env: { PATH, HOME, TMPDIR: cwd, TERM: "xterm" } });
}

function readStarted(output: string): { tempDir: string; childPid: number } {
  const [, tempDir, pid] = /ready (\S+) (\d+)\./.exec(output)!;
  return { tempDir: tempDir!, childPid: Number(pid) };
}

onTerminal.each(["work", "signalled-twice"])(`Ctrl-C lets "%s" clean up, says so and is 130${note}`, (name) =>
  withWork(name, async ({ terminal, marker }) => {
    terminal.type("\x03");
    const { exitCode, output } = await terminal.ended;
    expect({ exitCode, marker: readFileSync(marker, "utf8") }).toEqual({
      exitCode: 130,
      marker: "cleaned up",
    });
    const { tempDir, childPid } = readStarted(output);
    expect([existsSync(tempDir), isProcessAlive(childPid)]).toEqual([false, false]);
    expect(output).toContain("stopping; once more ends it at once");
    expect(output).toContain("✗ working (");
    expect(output).toContain("error: stopped by SIGINT (CODEX_JS_CLI_INTERRUPTED)\r\n");
    expect(output).toContain("while stopping: Error: something else");
  }),
);

onTerminal(`a second Ctrl-C ends a command that does not stop, and erases its line${note}`, () =>
  withTempDir("codex-js-terminal-test", async (dir) => {
    const terminal = startFixture(dir, ["stuck"]);
    await terminal.waitFor("ready");
    const typing = setInterval(() => terminal.type("\x03"), 100);
    const { exitCode, output } = await terminal.ended.finally(() => clearInterval(typing));
    expect(exitCode).toBe(130);
    expect(output.endsWith(eraseLine)).toBe(true);
  }),
);

onTerminal(`a closed terminal lets the command clean up${note}`, () =>
  withWork("work", async ({ terminal, marker }) => {
    terminal.close();
    await terminal.ended;
    await expect.poll(() => existsSync(marker), { timeout: 20_000 }).toBe(true);
  }),
);

onTerminal(`the live line is one line, below all that is written${note}`, () =>
  withTempDir("codex-js-terminal-test", async (dir) => {
    const { exitCode, output } = await startFixture(dir, ["steps"]).ended;
    const frame = `${eraseLine}⠋`;
    expect({ exitCode, output: output.replaceAll(/\(\d+ ms\)/g, "(0 ms)") }).toEqual({
      exitCode: 0,
      output: [
        `${frame} outer`,
        `${frame} inner`,
        `${frame} inner: red lines`,
        `${eraseLine}a line between\r\n`,
        `${frame} inner: red lines`,
        `${frame} outer`,
        `${eraseLine}✓ inner: done (0 ms)\r\n`,
        `${frame} outer`,
        `${eraseLine}a result\r\n`,
        `${frame} outer`,
        `${eraseLine}✓ outer (0 ms)\r\n`,
      ].join(""),
    });
  }),
);

// Windows ends a process that is sent a signal.
test.skipIf(process.platform === "win32")("without a terminal, SIGTERM does the same and is 143", () =>
  withTempDir("codex-js-terminal-test", async (dir) => {
    const marker = join(dir, "marker");
    const child = spawn(command[0]!, [command[1]!, "work", marker], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { PATH: process.env.PATH, TMPDIR: dir },
    });
    let output = "";
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      if (!output.includes("ready ") && (output + chunk).includes("ready ")) child.kill("SIGTERM");
      output += chunk;
    });
    const [exitCode] = await once(child, "close");
    expect({ exitCode, cleanedUp: existsSync(marker) }).toEqual({ exitCode: 143, cleanedUp: true });
    expect(output).toMatch(/^… working\nready .*\n✗ working \(.*\)\nerror: stopped by SIGTERM /);
    expect(output).not.toContain("\u001b");
  }),
);
