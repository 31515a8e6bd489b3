import { fileURLToPath } from "node:url";
import { noTerminalReason, startInTerminal } from "@codex-js/cli-kit/testing";
import { expect, test } from "vitest";
import { withWorkspace } from "./fixture-workspace.ts";

const note = noTerminalReason === undefined ? "" : ` (skipped: ${noTerminalReason})`;

// size-limit lowers the listener limit of the whole process.
test.skipIf(noTerminalReason !== undefined)(`no warning of Node's gets into the live line${note}`, () =>
  withWorkspace(async (root) => {
    const command = [process.execPath, fileURLToPath(new URL("fixture-gate.ts", import.meta.url)), root];
    const env = { ...process.env, CI: undefined, TERM: "xterm" };
    const { exitCode, output } = await startInTerminal(command, { cwd: root, env }).ended;
    expect(exitCode).toBe(0);
    expect(output).toContain("measuring");
    expect(output).toMatch(/✓ measuring: \d+ B, up to 10 listeners \(/);
    expect(output).not.toContain("Warning");
  }),
);
