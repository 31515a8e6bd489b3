/**
 * Puts the layer's globals into a realm without the layer: what a realm has from the start is the intrinsics,
 * captured while they can be trusted, and an accessor for each global. The first one that a mod uses makes
 * them all.
 */
import { GLOBAL_NAMES, type Globals } from "./global-names.ts";
import type { LayerHost } from "./layer.ts";
import * as primordials from "./realm/primordials.ts";

/** What the realm's host provides. */
export interface Host extends LayerHost {
  /** The value of the layer's script, evaluated in this realm. */
  readonly loadLayer: () => (captured: object, host: LayerHost) => Globals;
}

const captured = { __proto__: null, ...primordials };
const { bare, defineProperty, getOwnPropertyDescriptor } = primordials;

/** Defines the globals on `target`, as a browser would: not enumerable, replaceable. */
export function install(target: object, host: Host): void {
  const { loadLayer } = host;
  const getters: (() => unknown)[] = [];
  let globals: Globals | undefined;

  function load(): Globals {
    // Kept when all of it has come to its end: one that was cut off is made anew by the next use.
    globals ??= loadLayer()(captured, host);
    for (let index = 0; index < GLOBAL_NAMES.length; index += 1) {
      const name = GLOBAL_NAMES[index]!;
      // A mod may have replaced or removed some of them.
      if (getOwnPropertyDescriptor(target, name)?.get === getters[index]) {
        defineGlobal(target, name, globals[name]);
      }
    }
    return globals;
  }

  for (const name of GLOBAL_NAMES) {
    const get = () => load()[name];
    const set = (value: unknown) => defineGlobal(target, name, value);
    getters.push(get);
    defineProperty(target, name, bare({ get, set, enumerable: false, configurable: true }));
  }
}

function defineGlobal(target: object, name: string, value: unknown): void {
  defineProperty(target, name, bare({ value, writable: true, enumerable: false, configurable: true }));
}
