/**
 * Runs the crate's example and passes messages between it and the thread that waits for the replies.
 *
 * The waiting thread cannot see events while it waits, so the reply comes through shared memory: the state,
 * the reply's length, and the reply.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { type MessagePort, workerData } from "node:worker_threads";
import type { BridgeData } from "./native-bridge.ts";

const { program, port, shared } = workerData as BridgeData;
const header = new Int32Array(shared, 0, 2);
const room = new Uint8Array(shared, 8);
const child = spawn(program, [], { stdio: ["pipe", "pipe", "inherit"] });
let received = Buffer.alloc(0);

forwardRequests(port, child);
child.stdout!.on("data", (chunk: Buffer) => {
  received = Buffer.concat([received, chunk]);
  if (received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)) {
    reply(received.subarray(4));
    received = Buffer.alloc(0);
  }
});
child.on("exit", () => settle(-1));
child.on("error", () => settle(-1));

function forwardRequests(from: MessagePort, to: ChildProcess): void {
  from.on("message", (message: Uint8Array | null) => {
    if (message === null) {
      to.stdin!.end();
      from.close();
    } else {
      to.stdin!.write(message);
    }
  });
}

function reply(body: Uint8Array): void {
  if (body.length > room.length) {
    settle(-2);
    return;
  }
  room.set(body);
  header[1] = body.length;
  settle(1);
}

/** 1: a reply is there; -1: the program is gone; -2: the reply is too long. */
function settle(state: number): void {
  Atomics.store(header, 0, state);
  Atomics.notify(header, 0);
}
