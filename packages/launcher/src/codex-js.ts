#!/usr/bin/env node
import { readFileSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { findEngine } from "@codex-js/platforms/find-engine";
import { type CommandLine, parseCommandLine } from "./command-line.ts";
import type { Progress } from "./doctor/command.ts";

const from = import.meta.url;
const commandLine = parseCommandLine(process.argv.slice(2));
switch (commandLine.command) {
  case "text":
    print(1, commandLine.text);
    break;
  case "version":
    print(1, describeVersion());
    break;
  case "wrong":
    print(
      2,
      `error: ${commandLine.message} (CODEX_JS_CLI_USAGE)\n  fix: codex-js --help lists what there is\n`,
    );
    process.exitCode = 2;
    break;
  case "doctor":
    await runDoctor(commandLine);
}

async function runDoctor(options: Extract<CommandLine, { command: "doctor" }>): Promise<void> {
  const engine = findEngine(from);
  if (engine === undefined) {
    const { explainMissingEngine } = await import("./explain-failure.ts");
    print(2, explainMissingEngine(from));
    process.exitCode = 3;
    return;
  }
  const abort = new AbortController();
  const readStop = listenToStop(abort);
  const { runDoctorCommand } = await import("./doctor/command.ts");
  try {
    const result = await runDoctorCommand({
      ...options,
      cwd: process.cwd(),
      env: process.env,
      executablePath: engine.executablePath,
      signal: abort.signal,
      onProgress: showProgress,
    });
    print(2, result.stderr);
    print(1, result.stdout);
    process.exitCode = result.exitCode;
  } catch (error) {
    const signal = readStop();
    if (signal === undefined) throw error;
    print(2, `${process.stderr.isTTY ? "\r\u001b[K" : ""}stopped by ${signal}; nothing is left behind\n`);
    process.exitCode = 128 + constants.signals[signal];
  }
}

/** The first signal ends the measurement; what is cleaned up then is bounded, so later ones change nothing. */
function listenToStop(abort: AbortController): () => NodeJS.Signals | undefined {
  let stoppedBy: NodeJS.Signals | undefined;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      stoppedBy ??= signal;
      abort.abort(new Error(`stopped by ${signal}`));
    });
  }
  return () => stoppedBy;
}

/** One line that is written over where somebody watches, and a line for each tenth where not. */
function showProgress({ done, total, label }: Progress): void {
  if (process.stderr.isTTY) {
    print(2, done === total ? "\r\u001b[K" : `\r\u001b[K${done + 1}/${total} ${label}`);
  } else if (done !== total && Math.floor((done * 10) / total) !== Math.floor(((done - 1) * 10) / total)) {
    print(2, `measuring, ${done + 1} of ${total}: ${label}\n`);
  }
}

function describeVersion(): string {
  const engine = findEngine(from);
  const version =
    engine === undefined ? "not installed" : readVersion(join(engine.packageRoot, "package.json"));
  return `codex-js ${readVersion(new URL("../package.json", from))} (engine ${version})\n`;
}

function readVersion(file: string | URL): string {
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

function print(descriptor: 1 | 2, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // A full pipe that somebody still reads; anything else means that nobody listens any more.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
    }
  }
}
