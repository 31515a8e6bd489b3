import { ToolError } from "@codex-js/cli-kit";
import { commandNames } from "./command-names.ts";
import type { ReleaseOptions } from "./options.ts";
import { withHint } from "./remedy.ts";

const command = new RegExp(`\\bpnpm release\\b(?: (?:${commandNames.join("|")})\\b)?`, "g");

/**
 * A remedy that names a command of ours, with the options that decide what it works on: without them it would
 * work on another folder or another registry.
 */
export function keepFlags(error: unknown, options: ReleaseOptions): unknown {
  if (!(error instanceof ToolError) || error.hint === undefined) return error;
  const hint = addFlags(error.hint, options);
  return hint === error.hint ? error : withHint(error, hint);
}

/** The same for any text that names a command. */
export function addFlags(text: string, options: ReleaseOptions): string {
  const flags = formatFlags(options);
  if (flags === "" || text.includes(flags)) return text;
  return text.replace(command, (found) => `${found}${flags}`);
}

function formatFlags({ to, out, registryDir, registry, githubApi }: ReleaseOptions): string {
  const flags: [string, string | undefined][] = [
    ["--to", to],
    ["--out", out],
    ["--registry-dir", registryDir],
    ["--registry", registry],
    ["--github-api", githubApi],
  ];
  return flags.flatMap(([flag, value]) => (value === undefined ? [] : [` ${flag} ${quote(value)}`])).join("");
}

function quote(text: string): string {
  return /^[\w./:@~=+-]+$/.test(text) ? text : JSON.stringify(text);
}
