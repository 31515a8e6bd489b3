#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { text } from "node:stream/consumers";
import { ModError } from "../index.ts";
import { checkMod, findCheckExitCode } from "./check-mod.ts";
import { findCommandHint } from "./command-hint.ts";
import { type CommandLine, parseCommandLine } from "./command-line.ts";
import { formatCheck, formatFailure, formatRun, formatUsage } from "./format.ts";
import { initMod } from "./init-mod.ts";
import { runMod } from "./run-mod.ts";

/** 0 ok, 1 the mod is at fault, 2 the command line is wrong, 3 something around it. */
interface Outcome {
  exitCode: 0 | 1 | 2 | 3;
  stdout?: string;
  stderr?: string;
}

const commandLine = parseCommandLine(process.argv.slice(2));
const stop = new AbortController();
let stopCode: number | undefined;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(name, () => {
    stopCode ??= 128 + constants.signals[name];
    stop.abort(new Error(`stopped by ${name}`));
  });
}
// A reader that has gone, such as `head`, is no fault.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
const outcome = await perform(commandLine);
process.stdout.write(outcome.stdout ?? "");
process.stderr.write(outcome.stderr ?? "");
process.exitCode = stopCode ?? outcome.exitCode;

async function perform(line: CommandLine): Promise<Outcome> {
  try {
    return await performCommand(line);
  } catch (error) {
    if (!(error instanceof ModError)) throw error;
    const isJson = "json" in line && line.json;
    const hint = findCommandHint(error, "folder" in line ? line.folder : ".");
    return fail(findExitCode(error), formatFailure(error, hint, isJson), isJson);
  }
}

/** JSON is the result, of a failure too; text is for people. */
function fail(exitCode: Outcome["exitCode"], text: string, isJson: boolean): Outcome {
  return { exitCode, ...(isJson ? { stdout: text } : { stderr: text }) };
}

async function performCommand(line: CommandLine): Promise<Outcome> {
  switch (line.command) {
    case "text":
      return { exitCode: 0, stdout: line.text };
    case "version":
      return { exitCode: 0, stdout: `codex-js-mod ${readVersion()}\n` };
    case "wrong":
      return fail(2, formatUsage(line.message, line.json), line.json);
    case "init":
      return { exitCode: 0, stdout: await initMod(line.folder, line.json) };
    case "check": {
      const result = await checkMod({ ...line, signal: stop.signal });
      return { exitCode: findCheckExitCode(result), stdout: formatCheck(result, line.json) };
    }
    case "run": {
      const stdin = () => text(process.stdin);
      const onLog = (log: string) => void process.stderr.write(`${log}\n`);
      const result = await runMod({ ...line, stdin, onLog, signal: stop.signal });
      return { exitCode: 0, ...formatRun(result, line.json) };
    }
  }
}

function findExitCode({ code }: ModError): Outcome["exitCode"] {
  if (code === "invalid_argument") return 2;
  return code.startsWith("mod_") || code === "host_operation_denied" ? 1 : 3;
}

function readVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
