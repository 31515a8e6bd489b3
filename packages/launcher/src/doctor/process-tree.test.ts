import { once } from "node:events";
import { waitUntilGone } from "@codex-js/testkit/process-state";
import { expect, test } from "vitest";
import { isRunning, killTree, listDescendants, parsePs } from "./process-tree.ts";
import { startProcess } from "./start-process.ts";

/** A process with a child in a session of its own, which ignores SIGTERM; it says its pid. */
const program = `
  const { spawn } = require("node:child_process");
  const stubborn = "process.on('SIGTERM', () => {}); setTimeout(() => {}, 60_000); console.log(process.pid)";
  spawn(process.execPath, ["-e", stubborn], { detached: true, stdio: "inherit" });
  setTimeout(() => {}, 60_000);
`;

test.skipIf(process.platform === "win32")(
  "finds and ends what has left the group and ignores TERM",
  async () => {
    const root = startProcess(process.execPath, ["-e", program], { cwd: process.cwd(), env: process.env });
    const [pid] = (await once(root.stdout, "data")).map(Number);
    const tree = await listDescendants(root.pid!);
    expect(tree.map((one) => [one.pid, isRunning(one)])).toEqual([[pid, true]]);
    await killTree(root.pid!, tree);
    await Promise.all([root.pid!, pid!].map(waitUntilGone));
    expect(tree.map(isRunning)).toEqual([false]);
  },
);

// A start that failed has no pid; taken for 0, it would stand for our own group and the whole system.
test.skipIf(process.platform === "win32")(
  "pid 0 is nobody's: nothing is found, nothing is ended",
  async () => {
    expect(await listDescendants(0)).toEqual([]);
    // What is sent to group 0 reaches this process, which then reports no result at all.
    await expect(killTree(0, [])).resolves.toBeUndefined();
  },
);

test("reads what ps prints, without zombies", () => {
  const text = [
    "    1     0     1 Ss   Mon Nov 30 16:32:01 2026     /sbin/launchd",
    "  412     1   400 S+   Tue Dec  1 09:05:00 2026     /Applications/A B/node",
    "  413     1   400 Z    Tue Dec  1 09:05:00 2026     (gone)",
    "",
  ].join("\n");
  expect(parsePs(text)).toEqual([
    {
      pid: 1,
      parentPid: 0,
      groupId: 1,
      sessionId: 0,
      startedAt: "Mon Nov 30 16:32:01 2026",
      name: "launchd",
    },
    {
      pid: 412,
      parentPid: 1,
      groupId: 400,
      sessionId: 0,
      startedAt: "Tue Dec  1 09:05:00 2026",
      name: "node",
    },
  ]);
});
