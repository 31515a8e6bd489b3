import { type CodexError, EngineCrashedError } from "../../errors.ts";
import { createLineReader } from "../../framing.ts";
import { type EngineChild, waitForEnd } from "../engine-child.ts";
import type { Transport, TransportListener } from "./transport.ts";

/** How long an engine's last messages may take to arrive after it is gone. */
const drainAfterExitMs = 500;

export interface StdioTransportOptions {
  /** Bound of one message; default 64 MiB. */
  maxMessageBytes?: number;
}

/** JSON lines on the stdio of a running engine. `closed` resolves with an {@link EngineCrashedError}. */
export function createStdioTransport(child: EngineChild, options: StdioTransportOptions = {}): Transport {
  const { stdin, stdout } = child;
  let drained: Promise<void> | undefined;
  let isClosed = false;

  const closed = child.exited.then(async (exit): Promise<CodexError> => {
    await waitForEnd(stdout, drainAfterExitMs);
    isClosed = true;
    stdout.destroy();
    stdin.destroy();
    return new EngineCrashedError(exit);
  });

  return {
    closed,
    listen: (listener: TransportListener) => {
      const reader = createLineReader({
        onLine: listener.onMessage,
        onOversizedLine: listener.onOversizedMessage,
        ...(options.maxMessageBytes === undefined ? {} : { maxLineBytes: options.maxMessageBytes }),
      });
      stdout.on("error", () => {});
      stdout.on("data", (chunk: Buffer) => {
        if (!isClosed) reader.push(chunk);
      });
    },
    send: (text) => {
      if (isClosed || stdin.writableEnded || stdin.destroyed) return undefined;
      if (stdin.write(`${text}\n`)) return drained;
      drained ??= new Promise<void>((resolve) => {
        const settle = () => {
          drained = undefined;
          resolve();
        };
        stdin.once("drain", settle);
        closed.then(settle);
      });
      return drained;
    },
    end: () => void stdin.end(),
    setRef: child.setRef,
  };
}
