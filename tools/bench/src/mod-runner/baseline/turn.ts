import { format } from "node:util";
import type { ErrorFields, HostReplyMessage } from "../protocol.ts";
import { describeThrown } from "./describe-thrown.ts";
import { startMeter } from "./meter.ts";
import { ModError } from "./mod-error.ts";
import type { ModFile } from "./mod-package.ts";
import { writeLine, writeMessage } from "./output.ts";
import { createRealm, type Native, type Realm } from "./realm.ts";

/** One callback, load or render that runs. */
export interface Turn {
  id: number;
  /** Ends it with a result, `{"type":…}` less its usage; the first end counts. */
  succeed(type: "result" | "loaded", valueText?: string): void;
  fail(fields: ErrorFields): void;
  reply(message: HostReplyMessage): void;
}

/** A realm and the turn that it works for at the moment. */
export interface ModRealm extends Realm {
  turn: (Turn & Pick<Native, "request" | "log">) | undefined;
  /** Node's Web Crypto works on threads of its own: a pending promise may be waiting for one. */
  usesCrypto: boolean;
}

export function createModRealm(): ModRealm {
  const realm: ModRealm = {
    turn: undefined,
    usesCrypto: false,
    ...createRealm({
      request(operation, inputText) {
        if (realm.turn === undefined) throw new Error("the hook has settled");
        return realm.turn.request(operation, inputText);
      },
      log: (level, values) => realm.turn?.log(level, values),
      readGlobal(name) {
        if (name === "crypto") realm.usesCrypto = true;
        return globalThis[name as keyof typeof globalThis];
      },
    }),
  };
  return realm;
}

let lastRequest = 0;

export interface TurnOptions {
  id: number;
  budgetMs: number;
  realm: ModRealm;
  /** Called before the answer of a turn that went well. */
  beforeAnswer?(): void;
  /** Called once, after the answer was written; with the error, if it was one. */
  onEnd(fields: ErrorFields | undefined): void;
}

export function openTurn({ id, budgetMs, realm, beforeAnswer, onEnd }: TurnOptions): Turn {
  const meter = startMeter();
  const outstanding = new Set<number>();
  // Covers waits for the host. A loop is for the host to end, which kills a runner that is long past its budget.
  const timer = setTimeout(
    () => turn.fail({ code: "mod_timeout", message: `past ${budgetMs} ms` }),
    budgetMs,
  );
  const end = (fields: ErrorFields | undefined, write: () => void) => {
    if (realm.turn !== turn) return;
    realm.turn = undefined;
    clearTimeout(timer);
    if (fields === undefined) beforeAnswer?.();
    write();
    onEnd(fields);
  };
  /** By then all microtasks have run: what is still pending without a request can never settle. */
  const expectSettled = () => {
    setImmediate(() => {
      if (realm.turn !== turn || outstanding.size > 0 || realm.usesCrypto) return;
      turn.fail({ code: "mod_invalid_result", message: "the hook's promise never settles" });
    });
  };
  const turn: NonNullable<ModRealm["turn"]> = {
    id,
    succeed: (type, valueText) =>
      end(undefined, () => {
        const value = valueText === undefined ? "" : `,"value":${valueText}`;
        writeLine(`{"type":"${type}","id":${id}${value},"usage":${JSON.stringify(meter.read())}}`);
      }),
    fail: (fields) => end(fields, () => writeMessage({ type: "error", id, ...fields, usage: meter.read() })),
    reply({ request, value, error }) {
      if (!outstanding.delete(request)) {
        const fields = {
          code: "protocol_error",
          reason: "unknown_request",
          message: `no request ${request}`,
        };
        writeMessage({ type: "error", id, ...fields });
        return;
      }
      realm.settle(request, JSON.stringify(value ?? null), error);
      expectSettled();
    },
    request(operation, inputText) {
      const request = ++lastRequest;
      outstanding.add(request);
      meter.countRequest();
      const name = JSON.stringify(operation);
      writeLine(
        `{"type":"hostRequest","callback":${id},"request":${request},"operation":${name},"input":${inputText}}`,
      );
      return request;
    },
    log: (level, values) => writeMessage({ type: "log", id, level, text: format(...values) }),
  };
  realm.turn = turn;
  expectSettled();
  return turn;
}

/** Calls an export with the input, and ends the turn with what comes of it. */
export function callHook(
  turn: Turn,
  realm: ModRealm,
  files: ReadonlyMap<string, ModFile>,
  hook: { name: string; value: unknown; input: unknown },
): void {
  if (typeof hook.value !== "function") throw new ModError("mod_invalid", `${hook.name} is no function`);
  realm.call(
    hook.value as Parameters<Realm["call"]>[0],
    JSON.stringify(hook.input),
    (text) => {
      if (text !== undefined) turn.succeed("result", text);
      else turn.fail({ code: "mod_invalid_result", message: "the hook returned what is no JSON" });
    },
    (error, where) => turn.fail(describeThrown(error, where, files)),
  );
}
