/**
 * Tells of what a handler or listener of the program threw. It is the program's own fault and not worth its
 * life, nor may it stop the reading.
 */
export function warnOfHandler(error: unknown, onListenerError: ((error: unknown) => void) | undefined): void {
  try {
    if (onListenerError !== undefined) {
      onListenerError(error);
      return;
    }
  } catch (fault) {
    error = fault;
  }
  const { code = "CODEX_JS_SDK_HANDLER_FAILED", message = String(error), stack = "" } = Object(error);
  process.emitWarning(`a handler threw: ${message}`, {
    type: "CodexWarning",
    code,
    detail: stack,
  });
}
