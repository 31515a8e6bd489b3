import { type Command, exitCodes, ToolError } from "@codex-js/cli-kit";
import type { OptionSpec, Scenario } from "./scenario.ts";

export function addScenarioOptions(command: Command, scenario: Scenario): void {
  for (const spec of scenario.options) {
    command.option(describeFlags(spec), describeOption(spec));
  }
}

/** Values as given, else the defaults of the form that is run. @throws ToolError CODEX_JS_BENCH_BAD_OPTION (usage) */
export function readScenarioOptions(
  command: Command,
  scenario: Scenario,
  short: boolean,
): Record<string, unknown> {
  const given = command.opts() as Record<string, unknown>;
  const read = (spec: OptionSpec) => {
    const value = given[spec.name];
    if (value === undefined) return (short ? spec.short : undefined) ?? spec.default;
    return spec.kind === "number" ? readNumber(spec, value) : value;
  };
  return Object.fromEntries(scenario.options.map((spec) => [spec.name, read(spec)]));
}

function readNumber(spec: OptionSpec, text: unknown): number {
  const value = Number(text);
  const min = spec.min ?? 0;
  if (Number.isFinite(value) && value >= min) return value;
  throw new ToolError({
    code: "CODEX_JS_BENCH_BAD_OPTION",
    message: `${flagOf(spec.name)} is ${JSON.stringify(text)}, expected a number of at least ${min}`,
    hint: `for example ${flagOf(spec.name)} ${String(spec.default)}`,
    exitCode: exitCodes.usage,
  });
}

/** `sampleSeconds` → `--sample-seconds`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function describeFlags(spec: OptionSpec): string {
  return `${flagOf(spec.name)} ${{ number: "<n>", text: "<text>", list: "<value...>" }[spec.kind]}`;
}

function describeOption(spec: OptionSpec): string {
  const show = (value: OptionSpec["default"]) =>
    typeof value === "object" ? value.join(" ") : String(value);
  const short = spec.short === undefined ? "" : `, short form: ${show(spec.short)}`;
  const value = show(spec.default);
  return `${spec.description} (default: ${value === "" ? "none" : value}${short})`;
}
