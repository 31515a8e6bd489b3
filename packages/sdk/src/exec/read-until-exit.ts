import type { Readable } from "node:stream";

/**
 * The chunks of a process's output, until its end. Where the process is gone and something that it has
 * started still holds the pipe open, the output ends after `quietMs` without a byte.
 * @param exited - resolves when the process is gone
 */
export async function* readUntilExit(
  output: Readable,
  exited: Promise<unknown>,
  quietMs: number,
): AsyncGenerator<Buffer, void, undefined> {
  let isExited = false;
  let isWaiting = false;
  let timer: NodeJS.Timeout | undefined;
  const arm = () => {
    if (isExited && isWaiting) timer = setTimeout(() => output.destroy(), quietMs);
  };
  exited.then(() => {
    isExited = true;
    arm();
  });
  const chunks = output.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      isWaiting = true;
      arm();
      // A broken pipe is an end too: why it broke is told by how the process ended.
      const next = await chunks.next().catch(() => ({ done: true, value: undefined }));
      isWaiting = false;
      clearTimeout(timer);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}
