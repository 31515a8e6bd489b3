import { expect, test } from "vitest";
import { spawnEngine } from "./spawn-engine.ts";

const engineSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
const countListeners = () => engineSignals.map((signal) => process.listenerCount(signal));

function spawnNode(script: string) {
  return spawnEngine({ executablePath: process.execPath, args: ["-e", script], env: process.env });
}

test("returns the engine's own exit code", async () => {
  expect(await spawnNode("process.exit(7)")).toEqual({ exitCode: 7, signal: null });
});

// A killed child has no exit code; passing that null on would report success.
test.skipIf(process.platform === "win32").each([
  ["SIGKILL", 137],
  ["SIGTERM", 143],
  ["SIGINT", 130],
])("an end by %s has exit code %i (Windows has no signals)", async (signal, exitCode) => {
  const end = await spawnNode(`process.kill(process.pid, "${signal}"); setInterval(() => {}, 1000)`);
  expect(end).toEqual({ exitCode, signal });
});

// openai/codex#24556: handlers that stayed swallowed the signal that was raised again.
test("leaves no handler behind, however it ends", async () => {
  const before = countListeners();
  await spawnNode("");
  await expect(
    spawnEngine({ executablePath: "/no/such/engine", args: [], env: process.env }),
  ).rejects.toMatchObject({ code: "ENOENT" });
  expect(countListeners()).toEqual(before);
});
