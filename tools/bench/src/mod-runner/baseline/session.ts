import type vm from "node:vm";
import {
  type CallbackMessage,
  type HostMessage,
  type LoadMessage,
  protocolVersion,
  type RenderMessage,
  type TurnMessage,
} from "../protocol.ts";
import { type CodeCaches, createCodeCaches } from "./code-caches.ts";
import { describeThrown } from "./describe-thrown.ts";
import type { ModFile, ModPackage } from "./mod-package.ts";
import { linkModule } from "./module-graph.ts";
import { writeMessage } from "./output.ts";
import { callHook, createModRealm, type ModRealm, openTurn, type Turn } from "./turn.ts";

/** Everything that lasts from message to message. */
interface State {
  /** Has never run mod code; made while the runner has nothing to do. */
  prepared: ModRealm | undefined;
  modPackage: ModPackage | undefined;
  caches: CodeCaches | undefined;
  loaded: { realm: ModRealm; module: vm.Module } | undefined;
  turn: Turn | undefined;
}

const breaking = ["mod_timeout", "mod_cancelled"];

/** One mod, one turn at a time. */
export function createSession(): { take(line: string): void } {
  const state: State = {
    prepared: createModRealm(),
    modPackage: undefined,
    caches: undefined,
    loaded: undefined,
    turn: undefined,
  };
  return { take: (line) => takeMessage(state, JSON.parse(line) as HostMessage) };
}

function takeMessage(state: State, message: HostMessage): void {
  switch (message.type) {
    case "hello":
      greet(state, message);
      break;
    case "hostReply":
      // One for a turn that has ended is dropped.
      if (state.turn?.id === message.callback) state.turn.reply(message);
      break;
    case "cancel":
      if (state.turn?.id === message.id) state.turn.fail({ code: "mod_cancelled", message: "cancelled" });
      break;
    case "shutdown":
      process.exit(0);
      break;
    default:
      if (state.turn === undefined) startRun(state, message);
      else refuse(message.id, "busy", "a callback is still running");
  }
}

function startRun(state: State, message: TurnMessage): void {
  if (message.type === "render") render(state, message);
  else if (acceptPackage(state, message)) {
    void (message.type === "callback" ? runCallback(state, message) : load(state, message));
  }
}

function greet(state: State, hello: { protocolVersion: number; cacheKey?: string }): void {
  if (hello.protocolVersion !== protocolVersion) {
    refuse(null, "unsupported_version", `this is version ${protocolVersion}`);
    process.exit(3);
  }
  if (hello.cacheKey !== undefined) state.caches = createCodeCaches(hello.cacheKey);
}

/** The first package binds the runner; later messages of the same mod may leave the files out. */
function acceptPackage(state: State, { id, mod, modules, caches }: CallbackMessage | LoadMessage): boolean {
  if (state.modPackage !== undefined && state.modPackage.mod.digest !== mod.digest) {
    refuse(id, "bound", "the runner serves another mod");
    return false;
  }
  if (state.modPackage === undefined) {
    if (modules === undefined) {
      refuse(id, "not_loaded", "no modules were sent");
      return false;
    }
    const files = Object.entries(modules).map(([path, source]): [string, ModFile] => [
      path,
      { path, source },
    ]);
    state.modPackage = { mod, files: new Map(files) };
  }
  if (caches !== undefined) state.caches?.open(state.modPackage, caches);
  return true;
}

async function runCallback(state: State, message: CallbackMessage): Promise<void> {
  const { hook, input } = message;
  const realm = takeRealm(state);
  const turn = startTurn(state, message, realm, () => {});
  const module = await evaluate(state, turn, realm, hook.module);
  if (module === undefined) return;
  const value = (module.namespace as Record<string, unknown>)[hook.export];
  call(state, turn, realm, { name: hook.export, value, input });
}

async function load(state: State, message: LoadMessage): Promise<void> {
  const realm = takeRealm(state);
  state.loaded = undefined;
  const turn = startTurn(state, message, realm, () => {});
  const module = await evaluate(state, turn, realm, message.module);
  if (module === undefined) return;
  state.loaded = { realm, module };
  turn.succeed("loaded");
}

function render(state: State, message: RenderMessage): void {
  const { loaded } = state;
  if (loaded === undefined) {
    refuse(message.id, "not_loaded", "no mod is loaded");
    return;
  }
  const turn = startTurn(state, message, loaded.realm, (code) => {
    if (code !== undefined && breaking.includes(code)) state.loaded = undefined;
  });
  const value = (loaded.module.namespace as Record<string, unknown>)[message.export];
  call(state, turn, loaded.realm, { name: message.export, value, input: message.input });
}

function takeRealm(state: State): ModRealm {
  const realm = state.prepared ?? createModRealm();
  state.prepared = undefined;
  return realm;
}

function startTurn(
  state: State,
  message: { id: number; budgetMs: number; wantCaches?: boolean },
  realm: ModRealm,
  onEnd: (code: string | undefined) => void,
): Turn {
  const { id, budgetMs, wantCaches } = message;
  state.turn = openTurn({
    id,
    budgetMs,
    realm,
    beforeAnswer: () => {
      if (wantCaches) sendCaches(state, id);
    },
    onEnd(fields) {
      state.turn = undefined;
      onEnd(fields?.code);
      setImmediate(() => {
        state.prepared ??= createModRealm();
      });
    },
  });
  return state.turn;
}

/** Undefined where the turn has failed. */
async function evaluate(
  state: State,
  turn: Turn,
  realm: ModRealm,
  path: string,
): Promise<vm.Module | undefined> {
  const { files } = state.modPackage!;
  let where: "link" | "mod" = "link";
  try {
    const module = linkModule(files, path, realm);
    where = "mod";
    await module.evaluate();
    return module;
  } catch (error) {
    turn.fail(describeThrown(error, where, files));
    return undefined;
  }
}

function call(
  { modPackage }: State,
  turn: Turn,
  realm: ModRealm,
  hook: { name: string; value: unknown; input: unknown },
): void {
  const { files } = modPackage!;
  try {
    callHook(turn, realm, files, hook);
  } catch (error) {
    turn.fail(describeThrown(error, "mod", files));
  }
}

function sendCaches({ caches, modPackage }: State, id: number): void {
  const sealed = caches?.seal(modPackage!) ?? {};
  if (Object.keys(sealed).length > 0) writeMessage({ type: "caches", id, caches: sealed });
}

function refuse(id: number | null, reason: string, message: string): void {
  writeMessage({ type: "error", id, code: "protocol_error", reason, message });
}
