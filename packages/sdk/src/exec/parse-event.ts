import { CodexError } from "../errors.ts";
import type { ThreadEvent } from "../events.ts";
import { parseRedacted, type Redact } from "../redact.ts";

/** As much of a bad line as a message shows. */
const shownLength = 2000;

/**
 * Reads one line of `codex exec --experimental-json`. Fields are passed on as they are, unknown ones
 * too; only a missing count of cache writes (older engines) becomes 0.
 * @throws CodexError CODEX_JS_SDK_ENGINE_OUTPUT_INVALID
 */
export function parseEvent(line: string, redact: Redact = (text) => text): ThreadEvent {
  let event: ThreadEvent;
  try {
    event = parseRedacted(line, redact) as ThreadEvent;
    if (typeof event !== "object" || event === null) throw new TypeError("not an object");
  } catch (cause) {
    throw new CodexError(
      "CODEX_JS_SDK_ENGINE_OUTPUT_INVALID",
      `Failed to parse item: ${shorten(redact(line))}`,
      {
        hint: "check that codexPathOverride, if given, is a Codex engine, and that nothing else prints to its stdout",
        cause,
      },
    );
  }
  if (event.type === "turn.completed" && event.usage) event.usage.cache_write_input_tokens ??= 0;
  return event;
}

function shorten(line: string): string {
  if (line.length <= shownLength) return line;
  return `${line.slice(0, shownLength)}… (${line.length} characters)`;
}
