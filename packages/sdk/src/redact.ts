/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** One that knows these secrets; empty and missing ones are none. */
export function createRedactor(...secrets: (string | undefined)[]): Redact {
  return (text) =>
    secrets.reduce<string>((rest, secret) => (secret ? rest.replaceAll(secret, "***") : rest), text);
}

/** Parses JSON; what it throws shows of the text only what `redact` leaves. */
export function parseRedacted(text: string, redact: Redact): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(redact(text));
  }
}
