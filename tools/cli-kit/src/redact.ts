const rules: [RegExp, string][] = [
  // npm, GitHub and OpenAI tokens by their published prefixes.
  [/\b(npm_|gh[pousr]_|github_pat_|sk-)[A-Za-z0-9_-]{8,}/g, "$1***"],
  // Credentials inside a URL.
  [/(\w+:\/\/)[^/\s:@]+:[^/\s@]+@/g, "$1***@"],
  // npmrc lines and HTTP headers.
  [
    /(_authToken|_auth|_password|authorization)(["']?\s*[=:]\s*["']?)(Bearer\s+|Basic\s+)?[^\s"',;]+/gi,
    "$1$2$3***",
  ],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/g, "$1 ***"],
];

/** Blots out what looks like a credential; every message that a command prints goes through it. */
export function redact(text: string): string {
  return rules.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}
