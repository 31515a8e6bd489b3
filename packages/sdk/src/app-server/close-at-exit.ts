const closers = new Set<() => Promise<void>>();

/**
 * Closes `close`'s owner when the host has nothing left to do: an idle engine does not keep its host
 * running, and what it has started must not outlive it. Returns a function that undoes this. A host that
 * calls `process.exit` or is killed closes the pipe by ending, and the engine follows.
 */
export function closeAtExit(close: () => Promise<void>): () => void {
  if (closers.size === 0) process.on("beforeExit", closeAll);
  closers.add(close);
  return () => {
    closers.delete(close);
    if (closers.size === 0) process.off("beforeExit", closeAll);
  };
}

function closeAll(): void {
  for (const close of [...closers]) void close();
}
