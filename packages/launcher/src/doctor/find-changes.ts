import {
  type EngineConfig,
  type ExporterKey,
  managedLayer,
  type Origin,
  type ServerConfig,
} from "./engine-config.ts";
import type { Sample } from "./measure.ts";
import type { Scenario } from "./scenarios.ts";
import { compareRounds, medianOf } from "./statistics.ts";
import type { TomlValue } from "./toml-literal.ts";

/** A setting to write. */
export interface SettingChange {
  /** Absolute path of the configuration file. */
  file: string;
  path: [string, ...string[]];
  value: TomlValue;
}

/** Something to change, and what it was measured to be worth. */
export interface Finding {
  kind:
    | "telemetry"
    | "analytics"
    | "mcp-costs"
    | "mcp-slow-stop"
    | "mcp-slow-start"
    | "mcp-fails"
    | "turn-fails";
  /** What is wrong, in one sentence. */
  message: string;
  /** What to do about it, one line each. */
  advice: string[];
  /** Milliseconds of every run; null where time is not the point. */
  savesMs: number | null;
  server: string | null;
  /** What `--fix` writes; empty where that is for a person to decide. */
  changes: SettingChange[];
}

export interface Measured {
  scenario: Scenario;
  /** One a round, in the order of the rounds. */
  samples: Sample[];
}

export interface Diagnosis {
  findings: Finding[];
  /** What could not be measured, and why. */
  notes: string[];
}

export interface ConfigFiles {
  /** Path of the user's config.toml. */
  user: string;
  /** Line (from 1) of a setting in one of the files; undefined where it does not stand there. */
  findLine: (file: string, path: readonly string[]) => number | undefined;
}

/** Every server costs its start; leaving one out is worth saying only where that is felt. */
const smallestServerCostMs = 500;
/** A server that outlives the engine by less has stopped at once. */
const shortestLingerMs = 200;

/** What the measurements say about the configuration. `measured` starts with it as it is. */
export function findChanges(
  measured: readonly Measured[],
  config: EngineConfig,
  files: ConfigFiles,
): Diagnosis {
  const [base, ...others] = measured as [Measured, ...Measured[]];
  const telemetry = findTelemetry(base, others, config, files);
  const servers = config.servers.map((server) => examineServer(server, measured));
  return {
    findings: [
      ...findFailure(base, others),
      ...telemetry,
      ...findAnalytics(base, others, telemetry, config, files),
      ...servers.flatMap(({ findings }) => findings),
    ],
    notes: servers.flatMap(({ notes }) => notes),
  };
}

/**
 * Exporters send what they still hold when the engine ends, so the exit alone is compared. Two that wait at
 * the same time hide each other: then only switching off both saves anything.
 */
function findTelemetry(
  base: Measured,
  others: readonly Measured[],
  config: EngineConfig,
  files: ConfigFiles,
): Finding[] {
  const differences = others
    .filter(({ scenario }) => scenario.exporters.length > 0)
    .map(({ scenario, samples }) => ({ scenario, ...compareRounds(base.samples, samples, "exitMs") }))
    .filter(({ isClear }) => isClear);
  const together = differences.find(({ scenario }) => scenario.exporters.length > 1);
  const single = differences.filter(({ scenario }) => scenario.exporters.length === 1);
  const singleMs = single.reduce((sum, { savesMs }) => sum + savesMs, 0);
  const chosen = together !== undefined && together.savesMs > singleMs + 100 ? [together] : single;
  return chosen.map(({ scenario, savesMs }): Finding => {
    const fixes = scenario.exporters.map((key) => switchOff(key, config, files));
    return {
      kind: "telemetry",
      message: `every exit waits for the ${scenario.label}`,
      advice: fixes.map(({ advice }) => advice),
      savesMs,
      server: null,
      changes: fixes.flatMap(({ change }) => change ?? []),
    };
  });
}

function switchOff(key: ExporterKey, config: EngineConfig, files: ConfigFiles) {
  const { origin } = config.exporters[key];
  const line = `[otel] ${key} = "none"`;
  if (isAboveTheUser(origin))
    return { advice: `${line}, set by your organisation (${origin.type}): ask them` };
  const change: SettingChange = { file: chooseFile(origin, files), path: ["otel", key], value: "none" };
  return { advice: `${line}  in ${describePlace(change, files)}`, change };
}

/** Where the setting stands, if the user set it; else their config.toml, which only managed layers overrule. */
function chooseFile({ type, file }: Origin, { user }: ConfigFiles): string {
  return type === "user" ? (file ?? user) : user;
}

function describePlace({ file, path }: SettingChange, { findLine }: ConfigFiles): string {
  const line = findLine(file, path);
  return line === undefined ? file : `${file}:${line}`;
}

/** Only what goes beyond the exporters, which are the smaller thing to give up. */
function findAnalytics(
  base: Measured,
  others: readonly Measured[],
  telemetry: readonly Finding[],
  { analyticsOrigin }: EngineConfig,
  files: ConfigFiles,
): Finding[] {
  const measured = others.find(({ scenario }) => scenario.id === "analytics-off");
  if (measured === undefined) return [];
  const { savesMs, isClear } = compareRounds(base.samples, measured.samples, "exitMs");
  const covered = telemetry.reduce((sum, finding) => sum + (finding.savesMs ?? 0), 0);
  if (!isClear || savesMs <= covered + 100) return [];
  const change: SettingChange = {
    file: chooseFile(analyticsOrigin, files),
    path: ["analytics", "enabled"],
    value: false,
  };
  const isTheirs = isAboveTheUser(analyticsOrigin);
  return [
    {
      kind: "analytics",
      message: "every exit waits for analytics to be sent",
      advice: [
        `[analytics] enabled = false  ${isTheirs ? "is your organisation's to set" : `in ${describePlace(change, files)}`}`,
      ],
      savesMs,
      server: null,
      changes: isTheirs ? [] : [change],
    },
  ];
}

/** What a scenario is compared with: the one that has everything but what it leaves out. */
export function findBase(measured: readonly Measured[], other: Measured | undefined): Measured {
  return measured.find(({ scenario }) => scenario.id === other?.scenario.comparedWith) ?? measured[0]!;
}

const isAboveTheUser = ({ type }: Origin): boolean => type !== undefined && managedLayer.test(type);

function findFailure(base: Measured, others: readonly Measured[]): Finding[] {
  const failures = base.samples.flatMap(({ failure }) => failure ?? []);
  const [first] = failures;
  if (first === undefined) return [];
  const what = { readyMs: "does not start", turnMs: "cannot finish a turn", exitMs: "does not end" }[
    first.phase
  ];
  const cure = others.find(({ scenario, samples }) =>
    scenario.server !== undefined
      ? samples.length > 0 && samples.every(({ failure }) => failure === null)
      : false,
  );
  const server = cure?.scenario.server ?? null;
  return [
    {
      kind: "turn-fails",
      message: `with this configuration the engine ${what} in ${failures.length} of ${base.samples.length} runs: ${first.message}`,
      advice:
        server === null
          ? ["mend what the message names"]
          : [`it works without the MCP server ${server}: mend it, or leave it out:`, leaveOut(server)],
      savesMs: null,
      server,
      changes: [],
    },
  ];
}

/** The server's start falls on the turn, its end on the exit and on what comes after. */
function examineServer(server: ServerConfig, measured: readonly Measured[]): Diagnosis {
  const { name } = server;
  const without = measured.find(({ scenario }) => scenario.server === name);
  const base = findBase(measured, without);
  const starts = base.samples.flatMap(({ servers }) => servers[name] ?? []);
  const failed = starts.find(({ state }) => state === "failed");
  if (failed !== undefined && server.transport === "http") {
    // No stored login was copied, so that this says nothing about the server.
    return {
      findings: [],
      notes: [`MCP server ${name} was not measured: it is remote and may want your login`],
    };
  }
  const findings = [
    ...(failed === undefined ? [] : [describeFailed(name, failed.error)]),
    ...findSlowStart(name, base.samples),
    ...(without === undefined
      ? []
      : [...findCosts(name, base, without), ...findSlowStop(name, base, without)]),
  ];
  const notes =
    without === undefined
      ? [`MCP server ${name} was not measured: its name cannot be part of an override`]
      : [];
  return { findings, notes };
}

function describeFailed(name: string, error: string | null): Finding {
  return {
    kind: "mcp-fails",
    message: `MCP server ${name} does not start${error === null ? "" : `: ${error.split("\n", 1)[0]}`}`,
    advice: ["mend its command, or leave it out:", leaveOut(name)],
    savesMs: null,
    server: name,
    changes: [],
  };
}

function findSlowStart(name: string, samples: readonly Sample[]): Finding[] {
  const hanging = samples.filter(
    ({ servers, failure }) => failure === null && servers[name]?.state === "starting",
  );
  if (hanging.length === 0 || hanging.length < samples.length / 2) return [];
  return [
    {
      kind: "mcp-slow-start",
      message: `MCP server ${name} is still starting when the turn is long over (killed, with its process group)`,
      advice: ["see why it does not answer initialize, or leave it out:", leaveOut(name)],
      savesMs: null,
      server: name,
      changes: [],
    },
  ];
}

function findCosts(name: string, base: Measured, without: Measured): Finding[] {
  const clear = (["turnMs", "exitMs"] as const)
    .map((phase) => ({ phase, ...compareRounds(base.samples, without.samples, phase) }))
    .filter(({ isClear }) => isClear);
  const savesMs = clear.reduce((sum, one) => sum + one.savesMs, 0);
  if (savesMs < smallestServerCostMs) return [];
  const where = clear.map(({ phase }) => (phase === "turnMs" ? "first turn" : "exit")).join(" and ");
  return [
    {
      kind: "mcp-costs",
      message: `the ${where} of every run waits for the MCP server ${name}`,
      advice: ["if you do not need it in every run:", leaveOut(name)],
      savesMs,
      server: name,
      changes: [],
    },
  ];
}

/** By the number of processes that are left, since two slow servers hide each other's time. */
function findSlowStop(name: string, base: Measured, without: Measured): Finding[] {
  const count = (samples: readonly Sample[]) => medianOf(samples, ({ outlived }) => outlived.length) ?? 0;
  const lingerMs = medianOf(base.samples, (sample) => sample.lingerMs) ?? 0;
  if (count(base.samples) <= count(without.samples) || lingerMs < shortestLingerMs) return [];
  const list = (samples: readonly Sample[]) => [...new Set(samples.flatMap(({ outlived }) => outlived))];
  const others = list(without.samples);
  const programs = list(base.samples).filter((one) => !others.includes(one));
  const seconds = (lingerMs / 1000).toFixed(1);
  const killed = base.samples.some((sample) => sample.killed);
  return [
    {
      kind: "mcp-slow-stop",
      message: killed
        ? `MCP server ${name} runs on after the engine has ended (${programs.join(", ") || "another process"}; killed after ${seconds} s)`
        : `MCP server ${name} takes ${seconds} s to stop after the engine has ended (${programs.join(", ") || "another process"})`,
      advice: [
        `[mcp_servers.${name}] command = the server's own program, without sh, npx or uvx around it:`,
        "the engine ends what it started itself, and what that started only if it obeys SIGTERM",
      ],
      savesMs: null,
      server: name,
      changes: [],
    },
  ];
}

const leaveOut = (name: string): string => `[mcp_servers.${name}] enabled = false`;
