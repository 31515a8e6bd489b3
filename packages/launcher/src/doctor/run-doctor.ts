import { setTimeout as sleep } from "node:timers/promises";
import { type ConfigFile, findCodexHome, readConfigFile } from "./config-file.ts";
import { DoctorError, exitCodes } from "./doctor-error.ts";
import { createTranslation, type EngineConfig, parseEngineConfig } from "./engine-config.ts";
import { type Notification, RefusedError } from "./engine-session.ts";
import { type Diagnosis, findChanges, type Measured } from "./find-changes.ts";
import { startLoopbackModel } from "./loopback-model.ts";
import { askOnce, measureOnce, type Sample, type Trial } from "./measure.ts";
import { planScenarios, type Scenario } from "./scenarios.ts";
import { findTomlLine } from "./toml-edit.ts";
import {
  createProfileOverrides,
  createTrialEnv,
  createTrialHome,
  createTrialOverrides,
  type TrialHome,
} from "./trial-home.ts";

export interface DoctorOptions {
  /** Where the user works: decides which project's configuration counts. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The engine's binary. */
  executablePath: string;
  profile: string | undefined;
  /** How often each way to run is measured. */
  runs: number;
  /** For start, turn and exit of one run together. */
  deadlineMs: number;
  /** Aborting it ends all processes; the promise rejects with its reason. */
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

export interface Progress {
  /** Runs of the engine that are done, and all of them. */
  done: number;
  total: number;
  /** What is measured now. */
  label: string;
}

export interface DoctorResult extends Diagnosis {
  engineVersion: string;
  files: ConfigFile[];
  config: EngineConfig;
  /** The configuration as it is first. */
  measured: Measured[];
}

/** A server that needs longer than this to start is called slow instead of being waited for every time. */
const awaitServersMs = 10_000;
const lingerLimitMs = 4000;

/**
 * Measures what a run of the engine costs on the user's configuration, and with parts of it left out. The
 * user's own folder is read and never written: everything runs on a copy of config.toml.
 * @throws DoctorError for a configuration that is broken (2) or an engine that does not run (3)
 */
export async function runDoctor(options: DoctorOptions): Promise<DoctorResult> {
  const codexHome = findCodexHome(options.env, options.cwd);
  const user = readConfigFile(codexHome);
  const profile = options.profile === undefined ? undefined : readConfigFile(codexHome, options.profile);
  const home = createTrialHome(user);
  try {
    const model = await startLoopbackModel();
    try {
      return await diagnose(options, { user, profile, home, baseUrl: model.baseUrl });
    } finally {
      await model.close();
    }
  } finally {
    home.remove();
  }
}

interface Setting {
  user: ConfigFile;
  profile: ConfigFile | undefined;
  home: TrialHome;
  baseUrl: string;
}

async function diagnose(options: DoctorOptions, setting: Setting): Promise<DoctorResult> {
  const { user, profile } = setting;
  const trial = createTrial(options, setting);
  const { config, engineVersion } = await readEngineConfig(trial, setting);
  const scenarios = planScenarios(config);
  const measured = await measureAll(options, setting, trial, scenarios, config);
  const files = profile === undefined ? [user] : [user, profile];
  const findLine = (file: string, path: readonly string[]) =>
    findTomlLine(files.find((one) => one.path === file)?.text ?? "", path);
  const diagnosis = findChanges(measured, config, { user: user.path, findLine });
  return { ...diagnosis, engineVersion, files, config, measured };
}

/**
 * `codex` and `codex exec` have analytics on unless the configuration says otherwise; the app-server has them
 * off and needs the flag to cost what they cost.
 */
function createTrial(options: DoctorOptions, { home, baseUrl, profile }: Setting): Trial {
  const overrides = [
    ...(profile === undefined ? [] : createProfileOverrides(profile)),
    ...createTrialOverrides(home.dir, baseUrl),
  ];
  return {
    executablePath: options.executablePath,
    args: ["app-server", "--analytics-default-enabled", ...toFlags(overrides)],
    env: createTrialEnv(options.env, home.dir),
    cwd: options.cwd,
    deadlineMs: options.deadlineMs,
    lingerLimitMs,
    awaitedServers: [],
    awaitServersMs,
    signal: options.signal,
  };
}

const toFlags = (overrides: readonly string[]): string[] => overrides.flatMap((one) => ["-c", one]);

async function readEngineConfig(trial: Trial, { home, user, profile }: Setting) {
  const translate = createTranslation(home.dir, user.path);
  const params = { includeLayers: false, cwd: trial.cwd };
  const warnings = collectWarnings();
  try {
    const { answer, userAgent } = await askOnce(trial, warnings.listener, (engine) =>
      engine.request("config/read", params).catch(async (error: unknown) => {
        // It comes before the refusal or just after it.
        await Promise.race([warnings.first, sleep(1000)]);
        throw error;
      }),
    );
    const engineVersion = /\/(\S+)/.exec(userAgent)?.[1] ?? "unknown";
    return { config: parseEngineConfig(answer, translate, profile?.path), engineVersion };
  } catch (cause) {
    trial.signal.throwIfAborted();
    if (cause instanceof DoctorError) throw cause;
    const reason = (warnings.read() ?? (cause instanceof Error ? cause.message : String(cause))).replaceAll(
      home.dir,
      (dir) => translate(dir),
    );
    if (!(cause instanceof RefusedError)) throw createEngineError(trial, reason, cause);
    throw new DoctorError({
      code: "CODEX_JS_DOCTOR_CONFIG_REFUSED",
      message: `the engine does not accept the configuration: ${reason.trim().replaceAll(/\s*\n\s*/g, " ")}`,
      hint: "mend what it names; until then the engine ignores the whole file",
      exitCode: exitCodes.usage,
      cause,
    });
  }
}

/** What the engine says of a file it cannot use: file, line and column, which its refusal does not name. */
function collectWarnings() {
  const found: string[] = [];
  let resolveFirst = () => {};
  const first = new Promise<void>((resolve) => {
    resolveFirst = resolve;
  });
  const listener = ({ method, params: { path, details } }: Notification) => {
    if (method !== "configWarning" || path == null) return;
    found.push(String(details));
    resolveFirst();
  };
  return { listener, first, read: () => found[0] };
}

/** Every scenario once a round, in turns forwards and backwards. The run before the first round does not count. */
async function measureAll(
  options: DoctorOptions,
  { home }: Setting,
  trial: Trial,
  scenarios: readonly Scenario[],
  config: EngineConfig,
): Promise<Measured[]> {
  const names = config.servers.map(({ name }) => name);
  const measured = scenarios.map((scenario): Measured => ({ scenario, samples: [] }));
  const measure = (scenario: Scenario, awaited: readonly string[]): Promise<Sample> => {
    home.reset();
    return measureOnce({
      ...trial,
      args: [...trial.args, ...toFlags(scenario.overrides)],
      awaitedServers: awaited.filter((name) => name !== scenario.server),
    });
  };

  const total = options.runs * scenarios.length + 1;
  options.onProgress({ done: 0, total, label: "warming up" });
  const warmUp = await measure(scenarios[0]!, names);
  if (warmUp.failure?.phase === "readyMs") throw createEngineError(trial, warmUp.failure.message, undefined);
  // Waiting again for what did not come the first time would only make a slow diagnosis slower.
  const awaited = names.filter((name) => (warmUp.servers[name]?.state ?? "starting") !== "starting");
  let done = 1;
  for (let round = 0; round < options.runs; round++) {
    for (const one of round % 2 === 0 ? measured : measured.toReversed()) {
      options.onProgress({ done, total, label: describeScenario(one.scenario) });
      one.samples.push(await measure(one.scenario, awaited));
      done++;
    }
  }
  options.onProgress({ done, total, label: "done" });
  return measured;
}

const describeScenario = ({ id, label }: Scenario): string => (id === "as-is" ? label : `without ${label}`);

function createEngineError(trial: Trial, reason: string, cause: unknown): DoctorError {
  return new DoctorError({
    code: "CODEX_JS_DOCTOR_ENGINE_FAILED",
    message: `the engine does not get ready: ${reason} (${trial.executablePath})`,
    hint: "run codex app-server --help: if that fails too, reinstall",
    exitCode: exitCodes.external,
    cause,
  });
}
