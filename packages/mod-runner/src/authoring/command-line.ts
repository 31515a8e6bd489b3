import { parseArgs } from "node:util";
import type { SandboxMode } from "../index.ts";

interface OptionDefinition {
  /** Placeholder of its value; without one it is a switch. */
  value?: string;
  /** May be given several times. */
  multiple?: true;
  description: string;
}

interface CommandDefinition {
  summary: string;
  argument: string;
  options: Record<string, OptionDefinition>;
}

const json: OptionDefinition = { description: "print JSON" };
const help: OptionDefinition = { description: "show this" };
const sandbox: OptionDefinition = {
  value: "MODE",
  description: "require (the default), best-effort or off: what the kernel has to enforce",
};

/** Everything that can be typed behind `codex-js-mod`; parsing and help both come from here. */
const commands = {
  check: {
    summary:
      "check a mod: its manifest, its types with your TypeScript (7 or newer), its modules in the runner",
    argument: "[FOLDER]",
    options: {
      budget: { value: "MS", description: "wall time for evaluating each module (5000)" },
      sandbox,
      json,
      help,
    },
  },
  run: {
    summary: "call a hook once, and show what it returns, the memory and the time that it took",
    argument: "[FOLDER]",
    options: {
      hook: { value: "NAME", description: "which one; needless where the mod has one" },
      input: {
        value: "JSON|FILE|-",
        description: "its input: JSON, a file with JSON, or - for stdin (null)",
      },
      reply: {
        value: "NAME=JSON",
        multiple: true,
        description: "grant the host operation NAME, and answer it with this",
      },
      budget: { value: "MS", description: "wall time of the callback (5000)" },
      sandbox,
      json,
      help,
    },
  },
  init: { summary: "write a mod to start from", argument: "FOLDER", options: { json, help } },
} satisfies Record<string, CommandDefinition>;

type CommandName = keyof typeof commands;

interface Common {
  folder: string;
  json: boolean;
}

export interface CheckCommand extends Common {
  budgetMs: number | undefined;
  sandbox: SandboxMode | undefined;
}

export interface RunCommand extends CheckCommand {
  hook: string | undefined;
  input: string | undefined;
  /** Values by the operation's name. */
  replies: Record<string, unknown>;
}

export type CommandLine =
  | { command: "text"; text: string }
  | { command: "version" }
  | { command: "wrong"; message: string; json: boolean }
  | ({ command: "check" } & CheckCommand)
  | ({ command: "run" } & RunCommand)
  | ({ command: "init" } & Common);

/** Reads the arguments behind the program's name. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    return { command: "text", text: describeProgram() };
  }
  if (name === "--version") return { command: "version" };
  try {
    if (!Object.hasOwn(commands, name)) throw new Error(`there is no command ${name}`);
    return parseCommand(name as CommandName, rest);
  } catch (error) {
    // Whoever asks for JSON reads that it is wrong from there as well.
    return { command: "wrong", message: (error as Error).message, json: args.includes("--json") };
  }
}

/** @throws Error with what is wrong */
function parseCommand(name: CommandName, args: readonly string[]): CommandLine {
  const definition: CommandDefinition = commands[name];
  const options = Object.fromEntries(Object.entries(definition.options).map(toParseOption));
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help === true) return { command: "text", text: describeCommand(name, definition) };
  const [folder, surplus] = positionals;
  if (surplus !== undefined) throw new Error(`${name} takes one folder, and there is ${surplus} as well`);
  const common = { folder: folder ?? ".", json: values.json === true };
  if (name === "init") {
    if (folder === undefined) throw new Error("init needs a FOLDER");
    return { command: name, ...common };
  }
  const limits = { budgetMs: readBudget(values.budget), sandbox: values.sandbox as SandboxMode | undefined };
  if (name === "check") return { command: name, ...common, ...limits };
  const { hook, input } = values as { hook?: string; input?: string };
  return { command: name, ...common, ...limits, hook, input, replies: readReplies(values.reply as string[]) };
}

function toParseOption([name, option]: [string, OptionDefinition]) {
  const type = option.value === undefined ? ("boolean" as const) : ("string" as const);
  return [name, { type, ...(option.multiple === undefined ? {} : { multiple: true }) }] as const;
}

function readBudget(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d+$/.test(String(value))) throw new Error(`--budget is ${value}, expected milliseconds`);
  return Number(value);
}

function readReplies(replies: readonly string[] = []): Record<string, unknown> {
  const entries = replies.map((reply): [string, unknown] => {
    const [, name, text] = reply.match(/^([^=]+)=(.*)$/s) ?? [];
    if (name === undefined) throw new Error(`--reply is ${reply}, expected NAME=JSON`);
    try {
      return [name, JSON.parse(text!)];
    } catch (cause) {
      throw new Error(`--reply ${name}: ${text} is no JSON; a text is written '"text"'`, { cause });
    }
  });
  return Object.fromEntries(entries);
}

function describeProgram(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(8)}${summary}\n`);
  return `Usage: codex-js-mod COMMAND\n\n${lines.join("")}\ncodex-js-mod COMMAND --help has the options.\n`;
}

function describeCommand(name: string, { summary, argument, options }: CommandDefinition): string {
  const rows = Object.entries(options).map(([option, { value, description }]) => [
    `--${option}${value === undefined ? "" : ` ${value}`}`,
    description,
  ]);
  const width = Math.max(...rows.map(([left]) => left!.length));
  const lines = rows.map(([left, right]) => `  ${left!.padEnd(width)}  ${right}\n`);
  return `Usage: codex-js-mod ${name} ${argument} [OPTIONS]\n\n${summary}\n\n${lines.join("")}`;
}
