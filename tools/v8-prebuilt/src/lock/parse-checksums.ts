import { v8Error } from "../v8-error.ts";

const line = /^([0-9a-f]{64}) [ *](\S+)$/i;

/**
 * Reads a file as `sha256sum` writes it, which has to name exactly what is expected: a lock is written from
 * it, and everything is trusted that the lock pins.
 * @param where for messages
 * @returns digests in lower case by name
 * @throws ToolError CODEX_JS_V8_CHECKSUMS with everything that is wrong with it
 */
export function parseChecksums(
  text: string,
  names: readonly string[],
  where: string,
): Record<string, string> {
  const problems: string[] = [];
  const digests: Record<string, string> = {};
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    if (content.trim() === "") continue;
    const [, digest, name] = line.exec(content) ?? [];
    if (digest === undefined || name === undefined) problems.push(`line ${index + 1} is no checksum`);
    else if (!names.includes(name)) problems.push(`line ${index + 1} is for another file, ${name}`);
    else if (Object.hasOwn(digests, name)) problems.push(`${name} stands there twice`);
    else digests[name] = digest.toLowerCase();
  }
  problems.push(
    ...names.filter((name) => !Object.hasOwn(digests, name)).map((name) => `${name} has no line`),
  );
  if (problems.length === 0) return digests;
  throw v8Error("CODEX_JS_V8_CHECKSUMS", `${where} is no checksum file: ${summarise(problems)}`, {
    hint: "open the release's page and see what it has",
  });
}

/** A web page has hundreds of lines. */
function summarise(problems: string[]): string {
  const shown = problems.slice(0, 5).join("; ");
  return problems.length > 5 ? `${shown}; and ${problems.length - 5} more` : shown;
}
