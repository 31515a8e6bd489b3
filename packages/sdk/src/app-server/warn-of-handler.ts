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
  const { code, message, stack } = Object(error) as Partial<NodeJS.ErrnoException>;
  process.emitWarning(`a handler or listener threw: ${message ?? String(error)}`, {
    type: "CodexHandlerWarning",
    code: code ?? "CODEX_JS_SDK_HANDLER_FAILED",
    ...(stack !== undefined && { detail: stack }),
  });
}
