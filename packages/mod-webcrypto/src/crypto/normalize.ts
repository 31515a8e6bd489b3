import { asciiLowerCase } from "../encoding/labels.ts";
import { domException } from "../realm/dom-exception.ts";
import { bare, isObject } from "../realm/primordials.ts";
import { readRequired, toDomString } from "../web-idl/convert.ts";
import type { Algorithm, Operation, Params } from "./algorithm.ts";

export interface NormalizedAlgorithm {
  readonly algorithm: Algorithm;
  readonly params: Params;
}

/** The algorithms by their names in lower case. */
export interface Registry {
  readonly [lowerCaseName: string]: Algorithm;
}

export function createRegistry(...families: readonly (readonly Algorithm[])[]): Registry {
  const registry: Record<string, Algorithm> = bare({});
  for (let family = 0; family < families.length; family += 1) {
    const algorithms = families[family]!;
    for (let index = 0; index < algorithms.length; index += 1) {
      const algorithm = algorithms[index]!;
      registry[asciiLowerCase(algorithm.name)] = algorithm;
    }
  }
  return registry;
}

/**
 * The standard's "normalize an algorithm": reads the name, finds the algorithm, then reads and copies the
 * parameters of the operation. Whatever a mod does to its objects afterwards changes nothing.
 */
export function normalize(
  registry: Registry,
  operation: Operation,
  identifier: unknown,
): NormalizedAlgorithm {
  const object = isObject(identifier) ? identifier : bare({ name: toDomString(identifier) });
  const name = toDomString(readRequired(object, "name"));
  const algorithm = registry[asciiLowerCase(name)];
  if (algorithm?.[operation] === undefined) {
    throw domException("NotSupportedError", `Unrecognized algorithm name: ${name} has no ${operation}`);
  }
  const read = algorithm.params?.[operation];
  return { algorithm, params: read === undefined ? bare({}) : read(object, operation) };
}
