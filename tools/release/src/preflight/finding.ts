import { exitCodes, ToolError, type ToolErrorOptions } from "@codex-js/cli-kit";

/** Something that a release would fail of, found before anything irreversible. */
export interface Finding {
  code: ToolErrorOptions["code"];
  /** What it was found in: a package, a file, the tag. */
  subject: string;
  message: string;
  /** One command or edit that mends it. */
  hint: string;
}

/** What somebody else's check has thrown, as a finding; a bug or a stop of the command is thrown on. */
export function toFinding(error: unknown, subject: string): Finding {
  if (!(error instanceof ToolError)) throw error;
  const { code, message, hint = "see what it says" } = error;
  return { code, subject, message, hint };
}

/** @throws ToolError CODEX_JS_RELEASE_PREFLIGHT_FAILED (check failed) with everything found */
export function requireNoFindings(findings: readonly Finding[]): void {
  if (findings.length === 0) return;
  const lines = findings.flatMap(({ code, subject, message, hint }) => [
    `  ${subject}: ${message} (${code})`,
    `    → ${hint}`,
  ]);
  const problems = findings.length === 1 ? "something" : `${findings.length} things`;
  throw new ToolError({
    code: "CODEX_JS_RELEASE_PREFLIGHT_FAILED",
    message: `the preflight found ${problems}; nothing has been published\n${lines.join("\n")}\n`,
    hint: "mend what stands above (each with its own remedy behind the arrow), then run the same command again",
    exitCode: exitCodes.checkFailed,
  });
}
