const rules: [RegExp, string][] = [
  // npm, GitHub and OpenAI tokens by their published prefixes.
  [/\b(npm_|gh[pousr]_|github_pat_|sk-)[A-Za-z0-9_-]{8,}/g, "$1***"],
  // Credentials inside a URL; a token may stand there alone.
  [/(\w+:\/\/)[^/\s@"']+@/g, "$1***@"],
  // npmrc lines and HTTP headers.
  [
    /(_authToken|_auth|_password|authorization)(["']?\s*[=:]\s*["']?)(Bearer\s+|Basic\s+)?[^\s"',;]+/gi,
    "$1$2$3***",
  ],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/g, "$1 ***"],
  // GitHub's older scheme; shorter ones are words of a sentence about a token.
  [/\b([Tt]oken)\s+[A-Za-z0-9._~+=-]{20,}/g, "$1 ***"],
];

/** Anything shorter would blot out ordinary words. */
const minSecretLength = 4;
const secrets = new Set<string>();

/**
 * Makes {@link redact} blot out this very text from now on, in the whole process: for credentials that were
 * read from somewhere and look like nothing in particular.
 */
export function registerSecret(value: string): void {
  if (value.length >= minSecretLength) secrets.add(value);
}

/** Blots out what looks like a credential, and what is known to be one; all that a command prints goes through it. */
export function redact(text: string): string {
  // The longest first: one may be a part of another.
  const known = [...secrets].sort((a, b) => b.length - a.length);
  const blotted = known.reduce((result, secret) => result.replaceAll(secret, "***"), text);
  return rules.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), blotted);
}
