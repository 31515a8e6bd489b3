import { closeSync, constants, fstatSync, lstatSync, openSync, writeSync } from "node:fs";

/** Says that this program is there, until it leaves or ends in whatever way. */
export interface Presence {
  /** False once the server takes nobody in any more, or is gone. */
  isCurrent(): boolean;
  leave(): void;
}

/**
 * Opens the FIFO that a server's supervisor reads. The kernel keeps the count: when the last program has
 * closed it, or was killed, the supervisor reads an end. The word that is written tells a supervisor that
 * looks only now and then that somebody has come. Undefined when no supervisor reads it.
 */
export function enterPresence(path: string): Presence | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    // ENXIO: nobody reads it.
    if (["ENOENT", "ENXIO"].includes((error as NodeJS.ErrnoException).code!)) return undefined;
    throw error;
  }
  const { ino } = fstatSync(fd);
  let isOpen = true;
  const leave = () => {
    if (isOpen) closeSync(fd);
    isOpen = false;
  };
  try {
    writeSync(fd, "+\n");
  } catch (error) {
    // EAGAIN: 64 KiB of words wait, one more would say nothing new. Anything else: the reader has gone.
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") {
      leave();
      return undefined;
    }
  }
  return {
    isCurrent: () => isOpen && lstatSync(path, { throwIfNoEntry: false })?.ino === ino,
    leave,
  };
}
