import { once } from "node:events";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { readFields, writeMessage } from "./messages.ts";

export interface BridgeData {
  readonly program: string;
  readonly port: MessagePort;
  readonly shared: SharedArrayBuffer;
}

/** The crate behind the one function that the JavaScript layer asks for, answered while the caller waits. */
export interface NativeBridge {
  /** The results, or the name of an error. */
  call(operation: string, fields: readonly Uint8Array[]): Uint8Array[] | string;
  stop(): Promise<void>;
}

const REPLY_BYTES = 4 << 20;
/** Far above the slowest operation (RSA keys): only a program that hangs gets here. */
const PATIENCE_MS = 120_000;

export function startNativeBridge(program: string): NativeBridge {
  const shared = new SharedArrayBuffer(8 + REPLY_BYTES);
  const header = new Int32Array(shared, 0, 2);
  const { port1, port2 } = new MessageChannel();
  const data: BridgeData = { program, port: port2, shared };
  const worker = new Worker(new URL("./bridge-worker.ts", import.meta.url), {
    workerData: data,
    transferList: [port2],
  });
  return {
    call: (operation, fields) => {
      Atomics.store(header, 0, 0);
      port1.postMessage(writeMessage([Buffer.from(operation), ...fields]));
      const waited = Atomics.wait(header, 0, 0, PATIENCE_MS);
      if (waited === "timed-out" || header[0] !== 1) {
        throw new Error(`${program} gave no reply to ${operation} (${waited}, state ${header[0]})`);
      }
      const [error, ...results] = readFields(new Uint8Array(shared, 8, header[1]!).slice());
      return error!.length === 0 ? results : Buffer.from(error!).toString();
    },
    stop: async () => {
      const exited = once(worker, "exit");
      port1.postMessage(null);
      port1.close();
      await exited;
    },
  };
}
