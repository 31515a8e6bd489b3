import { readFile } from "node:fs/promises";
import { createModHost, type Mod, ModError, type ModResult } from "../index.ts";
import { describeJsonFault } from "../json-text.ts";
import { createAuthorOptions } from "./author-host.ts";
import type { RunCommand } from "./command-line.ts";

export interface RunModOptions extends RunCommand {
  stdin: () => Promise<string>;
  /** Called with each line that the mod logs, and with warnings. */
  onLog: (line: string) => void;
  signal: AbortSignal;
}

export interface RunModResult {
  mod: string;
  digest: string;
  hook: string;
  result: ModResult;
}

/**
 * Calls a hook once.
 * @throws ModError
 */
export async function runMod(options: RunModOptions): Promise<RunModResult> {
  const { folder, replies, signal, onLog } = options;
  await using host = createModHost({
    ...createAuthorOptions(options),
    grants: Object.keys(replies),
    operations: Object.fromEntries(Object.entries(replies).map(([name, value]) => [name, () => value])),
    onLog: ({ level, text }) => onLog(`${level}: ${text}`),
  });
  const mod = await host.load(folder);
  for (const warning of findNeedlessReplies(mod, Object.keys(replies))) onLog(`warning: ${warning}`);
  const hook = options.hook ?? findOnlyHook(mod);
  const input = await readInput(options);
  const result = await mod.run(hook, input, { signal });
  return { mod: `${mod.name} ${mod.version}`, digest: mod.digest, hook, result };
}

/** A mistyped name would answer nothing. */
function findNeedlessReplies({ manifest }: Mod, replies: readonly string[]): string[] {
  const { grants: asks = [] } = manifest;
  const asked = asks.length === 0 ? "nothing" : asks.join(", ");
  return replies
    .filter((name) => !asks.includes(name))
    .map((name) => `--reply ${name}: the mod does not ask for it; its "grants" in mod.json have ${asked}`);
}

function findOnlyHook(mod: Mod): string {
  const [hook, ...others] = mod.hooks.keys();
  if (hook !== undefined && others.length === 0) return hook;
  throw new ModError("invalid_argument", `${mod.name} has the hooks ${[...mod.hooks.keys()].join(", ")}`, {
    hint: "say which with --hook NAME",
  });
}

/** @throws ModError invalid_argument */
async function readInput({ input, stdin }: RunModOptions): Promise<unknown> {
  if (input === undefined) return null;
  const inline = parse(input);
  if ("value" in inline) return inline.value;
  const place = input === "-" ? "stdin" : input;
  const text = await (input === "-" ? stdin() : readInputFile(input));
  const parsed = parse(text);
  if ("value" in parsed) return parsed.value;
  throw new ModError("invalid_argument", `--input: what is in ${place} is no JSON: ${parsed.fault}`);
}

async function readInputFile(path: string): Promise<string> {
  return readFile(path, "utf8").catch((cause: Error) => {
    throw new ModError("invalid_argument", `--input is neither JSON nor a file: ${cause.message}`, {
      hint: `a text is written --input '"text"'`,
      cause,
    });
  });
}

function parse(text: string): { value: unknown } | { fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: describeJsonFault(text, error) };
  }
}
