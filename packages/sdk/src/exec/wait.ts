/** Whether `promise` settles in time. */
export async function settlesWithin(promise: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when `promise` does, or as soon as the signal is aborted. */
export async function settlesOrAborts(
  promise: Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let onAbort = () => {};
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve;
  });
  signal?.addEventListener("abort", onAbort);
  await Promise.race([promise, aborted]);
  signal?.removeEventListener("abort", onAbort);
}
