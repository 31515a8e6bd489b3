import { types } from "node:util";
import vm from "node:vm";
import { build } from "rolldown";
import { bundleOptions } from "../../scripts/bundle-options.ts";
import type { NativeBridge } from "../native/native-bridge.ts";

/** Something that evaluates source in a realm of its own. */
export interface Realm {
  evaluate(source: string): unknown;
}

/** The layer as one script, built from the source as it stands. */
export async function bundleLayer(): Promise<string> {
  const { output } = await build({ ...bundleOptions, write: false });
  return output[0].code;
}

/** A realm with nothing in it but ECMAScript and the layer: what a mod would find. */
export function createLayerRealm(script: string, bridge: NativeBridge): Realm {
  const context = vm.createContext({});
  const install = vm.runInContext(script, context) as (target: object, host: object) => void;
  const toRealm = vm.runInContext(
    "(error, ...fields) => error ?? fields.map((field) => Uint8Array.from(field))",
    context,
  ) as (error: string | undefined, ...fields: Uint8Array[]) => Uint8Array[] | string;
  install(vm.runInContext("globalThis", context), {
    call: (operation: string, fields: ArrayLike<Uint8Array>) => {
      const result = bridge.call(operation, Array.from(fields));
      return typeof result === "string" ? result : toRealm(undefined, ...result);
    },
    hasHiddenState,
  });
  return { evaluate: (source) => vm.runInContext(source, context) };
}

/** Node's own globals: the oracle. */
export function createNodeRealm(): Realm {
  return { evaluate: (source) => vm.runInThisContext(source) };
}

function hasHiddenState(value: object): boolean {
  return (
    types.isProxy(value) ||
    types.isPromise(value) ||
    types.isWeakMap(value) ||
    types.isWeakSet(value) ||
    types.isGeneratorObject(value) ||
    types.isArgumentsObject(value) ||
    types.isMapIterator(value) ||
    types.isSetIterator(value) ||
    types.isModuleNamespaceObject(value)
  );
}
