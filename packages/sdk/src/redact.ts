import type { CodexOptions } from "./options.ts";

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** One that knows these secrets, and those that are added to them later; empty and missing ones are none. */
export function createRedactor(secrets: Iterable<string | undefined>): Redact {
  return (text) => {
    // The longest first: one may begin like another.
    for (const secret of [...secrets].sort((a = "", b = "") => b.length - a.length)) {
      if (secret) text = text.replaceAll(secret, "***");
    }
    return text;
  };
}

/** Parses JSON; what it throws shows of the text only what `redact` leaves. */
export function parseRedacted(text: string, redact: Redact): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(redact(text));
  }
}

/** A setting that is a secret, rather than the name of a variable that holds one (`env_key`). */
const isSecret = (name: string) =>
  /key|token|secret|password|authorization/i.test(name) && !/(?:^|_)env_/.test(name);
const minSecretLength = 9;

/**
 * What an engine is given that must not get into an error: keys in its environment, and texts of 9 characters
 * and more in its configuration whose own name looks like that of a secret.
 */
export function collectSecrets(
  { config, configOverrides }: Pick<CodexOptions, "config" | "configOverrides">,
  env: Readonly<Record<string, string | undefined>>,
): Set<string | undefined> {
  const secrets = new Set([env.CODEX_API_KEY, env.OPENAI_API_KEY]);
  const add = (name: string, value: string) => {
    if (isSecret(name) && value.length >= minSecretLength) secrets.add(value);
  };
  try {
    JSON.stringify(config, (name, value) => {
      if (typeof value === "string") add(name, value);
      return value;
    });
  } catch {
    // It refers to itself or has a BigInt, and is refused later.
  }
  for (const override of configOverrides ?? []) {
    for (const [, name, ...texts] of override.matchAll(assignment)) {
      add(name!, texts.find(Boolean) ?? "");
    }
  }
  return secrets;
}

/** `name = "text"`, `'text'` or a bare word, at the top or within a table. */
const assignment = /([\w-]+)["']?\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'{[,}\]]+))/g;

/** An address without the credentials in it. */
export function hideCredentials(url: string): string {
  return url.startsWith("unix:") ? url : url.replace(/\/\/[^/?#]*@/, "//***@").replace(/[?#].*/s, "?***");
}
