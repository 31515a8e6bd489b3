import vm from "node:vm";
import { realmScript } from "./realm-script.ts";

/** What the realm asks of the runner. */
export interface Native {
  /** Returns the request's number. */
  request(operation: string, inputText: string): number;
  log(level: string, values: unknown[]): void;
  /** One of Node's own globals. */
  readGlobal(name: string): unknown;
}

/** What crypto code needs; each is Node's own, and is fetched when it is first used. */
const borrowedGlobals = ["crypto", "TextEncoder", "TextDecoder", "atob", "btoa", "structuredClone"];

/** A context for one mod run; everything that crosses into it is text. */
export interface Realm {
  context: vm.Context;
  parse(text: string): unknown;
  settle(request: number, text: string, refusal: { code: string; message: string } | undefined): void;
  call(
    hook: (input: unknown, host: unknown) => unknown,
    inputText: string,
    done: (text: string | undefined) => void,
    fail: (error: unknown, where: "mod" | "result") => void,
  ): void;
}

// Compiled once; its functions' code is shared by all contexts.
const script = new vm.Script(realmScript, { filename: "realm.js" });

/** `vm.constants.DONT_CONTEXTIFY`: a plain global object, without the interceptors that make every access slow. */
export function createRealm(native: Native): Realm {
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
    codeGeneration: { strings: false, wasm: false },
  });
  const install = script.runInContext(context) as (
    native: Native,
    globals: string[],
  ) => Omit<Realm, "context">;
  return { context, ...install(native, borrowedGlobals) };
}
