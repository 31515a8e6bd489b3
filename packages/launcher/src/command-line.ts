import { parseArgs } from "node:util";

interface OptionDefinition {
  /** Placeholder of its value; without one it is a switch. */
  value?: string;
  short?: string;
  description: string;
}

interface CommandDefinition {
  summary: string;
  /** More about it, for its own help. */
  details: string;
  options: Record<string, OptionDefinition>;
}

const help: OptionDefinition = { short: "h", description: "show this" };

/** Everything that can be typed behind `codex-js`; parsing and help both come from here. */
const commands = {
  doctor: {
    summary: "measure what a run of codex costs on your configuration, and say what to change",
    details: `Starts the engine on a copy of your config.toml, against a model inside this program: as it is, without
the telemetry exporters, without analytics, and without each MCP server in turn. No tokens are spent,
auth.json is not read, your own folder is not written to (but by --fix).

Exit codes: 0 nothing to change, 1 something to change, 2 the command line or the configuration is wrong,
3 the engine cannot be run.`,
    options: {
      fix: { description: "write the telemetry settings that save time; a copy of the file is kept" },
      "dry-run": { description: "with --fix: print the changes as a diff, and make none" },
      json: { description: "everything, with all raw samples, as JSON" },
      profile: {
        value: "NAME",
        short: "p",
        description: "measure with NAME.config.toml on top of config.toml",
      },
      runs: { value: "N", description: "measure everything N times, 1 to 100 (5)" },
      timeout: { value: "SECONDS", description: "give up on a run of the engine after this long (30)" },
      help,
    },
  },
} satisfies Record<string, CommandDefinition>;

export type CommandLine =
  | { command: "text"; text: string }
  | { command: "version" }
  | { command: "wrong"; message: string }
  | {
      command: "doctor";
      fix: boolean;
      dryRun: boolean;
      json: boolean;
      profile: string | undefined;
      runs: number;
      deadlineMs: number;
    };

/** Reads the arguments behind the program's name. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    return { command: "text", text: formatOverview() };
  }
  if (name === "--version" || name === "-V") return { command: "version" };
  if (name !== "doctor") return wrong(`there is no ${name.startsWith("-") ? "option" : "command"} ${name}`);
  return parseDoctor(rest);
}

function parseDoctor(args: string[]): CommandLine {
  const definitions: Record<string, OptionDefinition> = commands.doctor.options;
  const options = Object.fromEntries(
    Object.entries(definitions).map(([name, { value, short }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const), ...(short && { short }) },
    ]),
  );
  let values: Record<string, unknown>;
  try {
    ({ values } = parseArgs({ args, options, strict: true, allowPositionals: false }));
  } catch (error) {
    return wrong((error as Error).message);
  }
  if (values.help === true) return { command: "text", text: formatCommandHelp("doctor", commands.doctor) };
  if (values["dry-run"] === true && values.fix !== true) return wrong("--dry-run goes with --fix");
  const profile = values.profile as string | undefined;
  if (profile !== undefined && !/^[\w-]+$/.test(profile))
    return wrong(`--profile ${profile} is no profile's name`);
  const runs = readNumber(values.runs, 5, 1, 100);
  if (runs === undefined || !Number.isInteger(runs))
    return wrong("--runs takes a whole number from 1 to 100");
  const seconds = readNumber(values.timeout, 30, 1, 600);
  if (seconds === undefined) return wrong("--timeout takes seconds from 1 to 600");
  return {
    command: "doctor",
    fix: values.fix === true,
    dryRun: values["dry-run"] === true,
    json: values.json === true,
    profile,
    runs,
    deadlineMs: seconds * 1000,
  };
}

function readNumber(text: unknown, fallback: number, from: number, to: number): number | undefined {
  if (text === undefined) return fallback;
  const value = String(text).trim() === "" ? Number.NaN : Number(text);
  return value >= from && value <= to ? value : undefined;
}

const wrong = (message: string): CommandLine => ({ command: "wrong", message });

function formatOverview(): string {
  const list = Object.entries(commands).map(([name, { summary }]): [string, string] => [name, summary]);
  const options: [string, string][] = [
    ["-h, --help", "show this; behind a command: more about it"],
    ["-V, --version", "show the version of this package and of the engine"],
  ];
  return `Usage: codex-js <command> [options]

What goes with the codex command: codex itself is untouched by it.

Commands:
${formatColumns(list)}

Options:
${formatColumns(options)}
`;
}

function formatCommandHelp(name: string, { summary, details, options }: CommandDefinition): string {
  const rows = Object.entries(options).map(([option, { value, short, description }]): [string, string] => {
    const flag = `--${option}${value === undefined ? "" : ` ${value}`}`;
    return [short === undefined ? `    ${flag}` : `-${short}, ${flag}`, description];
  });
  return `Usage: codex-js ${name} [options]

${summary[0]!.toUpperCase()}${summary.slice(1)}.

${details}

Options:
${formatColumns(rows)}
`;
}

function formatColumns(rows: readonly [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
