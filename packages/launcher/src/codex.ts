#!/usr/bin/env node
import { realpathSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findEngine } from "@codex-js/platforms/find-engine";
import type { EngineCommand } from "./engine-command.ts";
import { createEngineEnv } from "./engine-env.ts";
import { detectPackageManager } from "./package-manager.ts";
import { replaceProcess } from "./replace-process.ts";
import { spawnEngine } from "./spawn-engine.ts";

/**
 * The engine never started; stderr says why. Every other exit code is the engine's own. 3 is what all
 * commands of this project return when something outside of them failed.
 */
const notStartedExitCode = 3;

const from = import.meta.url;
const engine = findEngine(from);
if (engine === undefined) {
  const { explainMissingEngine } = await import("./explain-failure.ts");
  fail(explainMissingEngine(from));
} else {
  await run({
    executablePath: engine.executablePath,
    args: process.argv.slice(2),
    env: createEngineEnv(process.env, readPackageManager(), engine.packageRoot),
  });
}

async function run(command: EngineCommand): Promise<void> {
  replaceProcess(command);
  try {
    const { exitCode, signal } = await spawnEngine(command);
    process.exitCode = exitCode;
    // The exit code stays for a signal that does not end this process, such as one that Node ignores.
    if (signal !== null && process.platform !== "win32") process.kill(process.pid, signal);
  } catch (error) {
    const { explainStartFailure } = await import("./explain-failure.ts");
    fail(explainStartFailure(command.executablePath, error));
  }
}

function readPackageManager() {
  const self = realpathSync(fileURLToPath(from));
  return detectPackageManager(
    { name: "@codex-js/cli", root: dirname(dirname(self)), entryPath: resolve(process.argv[1] ?? self) },
    process.env,
  );
}

function fail(text: string): void {
  process.exitCode = notStartedExitCode;
  try {
    writeSync(2, text);
  } catch {
    // Nobody listens on stderr; the exit code still says it.
  }
}
