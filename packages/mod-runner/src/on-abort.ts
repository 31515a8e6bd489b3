/**
 * Calls `listener` when the signal is aborted, until what is returned is called. That never throws: a signal that is
 * none of the runtime's own may do so, and whoever stops listening has a runner to give back.
 */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  signal?.addEventListener("abort", listener);
  return () => {
    try {
      signal?.removeEventListener("abort", listener);
    } catch {
      // The caller's own fault, and nobody waits for the signal any more.
    }
  };
}
