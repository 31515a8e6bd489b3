import { types } from "node:util";
import vm from "node:vm";
import { build } from "rolldown";
import { installScript, layerScript } from "../../scripts/bundle-options.ts";
import type { NativeBridge } from "../native/native-bridge.ts";

/** Something that evaluates source in a realm of its own. */
export interface Realm {
  evaluate(source: string): unknown;
}

/** The package's two scripts, built from the sources as they stand. */
export interface LayerScripts {
  readonly install: string;
  readonly layer: string;
}

export async function bundleLayer(): Promise<LayerScripts> {
  const [install, layer] = await Promise.all(
    [installScript, layerScript].map(async (script) => {
      const { output } = await build({ ...script, write: false });
      return output[0].code;
    }),
  );
  return { install: install!, layer: layer! };
}

/** A realm with nothing in it but ECMAScript and the layer: what a mod would find. */
export function createLayerRealm(scripts: LayerScripts, bridge: NativeBridge): Realm {
  const context = vm.createContext({});
  const install = vm.runInContext(scripts.install, context) as (target: object, host: object) => void;
  const make = vm.runInContext(
    "(({ Uint8Array }) => ({ bytes: (length) => new Uint8Array(length), list: () => [] }))(globalThis)",
    context,
  ) as RealmMaker;
  install(vm.runInContext("globalThis", context), {
    call: (operation: string, fields: ArrayLike<Uint8Array>) => {
      const result = bridge.call(operation, copyOut(fields));
      return typeof result === "string" ? result : copyIn(result, make);
    },
    hasHiddenState,
    loadLayer: () => vm.runInContext(scripts.layer, context),
  });
  return { evaluate: (source) => vm.runInContext(source, context) };
}

/** Makes values of a realm, with what the realm had at first. */
interface RealmMaker {
  bytes(length: number): Uint8Array;
  list(): Uint8Array[];
}

/**
 * As a native host does: nothing of the realm is asked for anything, since a mod may have replaced it. The
 * getters and methods are those of this realm, which know the other's arrays as well.
 */
function copyOut(fields: ArrayLike<Uint8Array>): Uint8Array[] {
  return Array.from({ length: fields.length }, (_, index) => {
    const copy = new Uint8Array(getLength.call(fields[index]));
    copy.set(new Uint8Array(getBuffer.call(fields[index]), getOffset.call(fields[index]), copy.length));
    return copy;
  });
}

function copyIn(results: Uint8Array[], make: RealmMaker): Uint8Array[] {
  const list = make.list();
  for (const [index, result] of results.entries()) {
    const copy = make.bytes(result.length);
    Uint8Array.prototype.set.call(copy, result);
    Object.defineProperty(list, index, { value: copy, writable: true, enumerable: true, configurable: true });
  }
  return list;
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const getLength = getterOf<number>("length");
const getOffset = getterOf<number>("byteOffset");
const getBuffer = getterOf<ArrayBuffer>("buffer");

function getterOf<T>(name: string): { call(self: unknown): T } {
  return Object.getOwnPropertyDescriptor(typedArray, name)!.get!;
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
