import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { childProcessCommand, installLauncher, run, runtimes, start } from "./launcher-process.ts";

const heldSpawn = new URL("held-spawn.mjs", import.meta.url).href;
const hasPython = run(["python3", "--version"]).status === 0;

// The fake engine is a shell script, which Windows cannot run as a program.
describe.skipIf(process.platform === "win32").each(runtimes)(
  "$name",
  ({ command, replacesProcess, isMissing }) => {
    const onRuntime = test.skipIf(isMissing);

    onRuntime("passes every argument as it is", () => {
      const { script } = installLauncher();
      const args = [
        "",
        "a b",
        '"',
        "'",
        "$HOME",
        "*",
        "\\",
        "--",
        "-",
        "--version",
        "-e",
        "zwei\nZeilen",
        "ü→🙂",
      ];
      const { stdout } = run([...command, script, "args", ...args]);
      expect(stdout.toString()).toBe(args.map((arg) => `${arg}\0`).join(""));
    });

    onRuntime("leaves stdin, stdout and stderr alone", () => {
      const { script } = installLauncher();
      // More than a pipe holds, with every byte in it, in an order that is no text.
      const input = Buffer.from(
        Array.from({ length: 300_000 }, (_, index) => (index * 7 + (index >> 8)) % 256),
      );
      const { stdout, stderr, status } = run([...command, script, "cat"], { input });
      expect([stdout.equals(input), stderr.toString(), status]).toEqual([true, "", 0]);
    });

    onRuntime.each([0, 1, 7, 255])("exit code %i is the engine's", (code) => {
      const { script } = installLauncher();
      expect(run([...command, script, "exit", String(code)]).status).toBe(code);
    });

    // Assigning the null that a killed child has for an exit code would make these 0; openai/codex#24556.
    onRuntime.each([
      ["KILL", 137],
      ["TERM", 143],
      ["INT", 130],
      ["HUP", 129],
    ])("an engine ended by SIG%s: the parent sees the signal, a shell sees %i", (name, code) => {
      const { script } = installLauncher();
      const parent = run([...command, script, "kill", name]);
      const shell = run(["/bin/sh", "-c", '"$@"; echo $?', "sh", ...command, script, "kill", name]);
      expect([parent.signal, parent.status, shell.stdout.toString()]).toEqual([
        `SIG${name}`,
        null,
        `${code}\n`,
      ]);
    });

    onRuntime("a signal that the runtime itself ignores still gives its exit code", () => {
      const { script } = installLauncher();
      const shell = run(["/bin/sh", "-c", '"$@"; echo $?', "sh", ...command, script, "kill", "PIPE"]);
      expect(shell.stdout.toString()).toBe("141\n");
    });

    onRuntime.each(["INT", "TERM", "HUP", "QUIT"])(
      "SIG%s to the launcher reaches the engine",
      async (name) => {
        const { script } = installLauncher();
        const child = start([...command, script, "wait"]);
        const ended = once(child, "exit");
        const lines: string[] = [];
        for await (const line of createInterface(child.stdout as Readable)) {
          lines.push(line);
          if (line === "ready") child.kill(`SIG${name}` as NodeJS.Signals);
        }
        expect([lines, await ended]).toEqual([
          ["ready", `got ${name}`],
          [42, null],
        ]);
      },
    );

    test.skipIf(isMissing || process.platform !== "linux")(
      "the engine starts with a shell's signal settings (/proc)",
      () => {
        const { script } = installLauncher();
        const expected = run([
          "/bin/sh",
          "-c",
          "grep -E '^Sig(Blk|Ign)' /proc/self/status",
        ]).stdout.toString();
        expect(run([...command, script, "signals"]).stdout.toString()).toBe(expected);
      },
    );

    onRuntime("marks the engine as managed exactly once, and names its package", () => {
      const { script, packageRoot } = installLauncher();
      const env = {
        CODEX_MANAGED_BY_BUN: "1",
        CODEX_MANAGED_BY_PNPM: "1",
        CODEX_MANAGED_PACKAGE_ROOT: "/outer",
      };
      expect(run([...command, script, "env"], { env }).stdout.toString()).toBe(
        `CODEX_MANAGED_BY_NPM=1\nCODEX_MANAGED_PACKAGE_ROOT=${packageRoot}\n`,
      );
    });

    test.skipIf(isMissing || !hasPython)("a terminal stays one (needs python3)", () => {
      const { script } = installLauncher();
      const spawnInTerminal = "import pty, sys; pty.spawn(sys.argv[1:])";
      const { stdout } = run(["python3", "-c", spawnInTerminal, ...command, script, "tty"]);
      expect(stdout.toString()).toBe("0 tty\r\n1 tty\r\n2 tty\r\n");
      expect(run([...command, script, "tty"]).stdout.toString()).toBe("0 none\n1 none\n2 none\n");
    });

    test.skipIf(isMissing || !replacesProcess)("no process stays between the caller and the engine", () => {
      const { script } = installLauncher();
      const { stdout, pid } = run([...command, script, "pid"]);
      expect(stdout.toString()).toBe(`${pid}\n`);
    });
  },
);

// A launcher that listens only after the spawn is ended by such a signal, and leaves the engine behind.
test.skipIf(process.platform === "win32")(
  "a signal sent while the engine is being spawned reaches it",
  () => {
    const { script, nodeModules } = installLauncher();
    const signalSent = join(nodeModules, "signal-sent");
    expect(run([...childProcessCommand, "--import", heldSpawn, script, "early", signalSent])).toMatchObject({
      status: 42,
      signal: null,
    });
  },
);
