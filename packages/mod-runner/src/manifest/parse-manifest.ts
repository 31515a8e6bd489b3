import { limits } from "../../generated/limits.ts";
import type { ModManifest } from "../../generated/manifest.ts";
import { manifestSchema } from "../../generated/schemas.ts";
import { isObject } from "../check-options.ts";
import { ModError } from "../errors.ts";
import { describeJsonFault, findRepeatedKeys } from "../json-text.ts";
import type { HookTarget } from "../package/mod-package.ts";
import { checkSchema } from "../schema/check-schema.ts";

/** The protocol that this library speaks. */
export const protocolVersion: number = limits.version;

/** A `mod.json`, as far as it can be read. */
export interface ParsedManifest {
  /** Undefined where it is not what the schema says. */
  manifest: ModManifest | undefined;
  /** Those that can be read, whatever is wrong with the rest. */
  hooks: ReadonlyMap<string, HookTarget>;
  problems: string[];
  /** What mends the first of them. */
  hint: string | undefined;
}

const { protocol: protocolSchema, hooks: hooksSchema } = manifestSchema.properties!;

/**
 * Reads `mod.json`.
 * @param place - its path, for the messages
 * @throws ModError mod_invalid where there is none, or no JSON
 */
export function parseManifest(text: string | undefined, place: string): ParsedManifest {
  if (text === undefined) {
    throw new ModError("mod_invalid", `there is no ${place}`, {
      hint: "npx codex-js-mod init NAME writes a mod",
    });
  }
  const value = parseJson(text, place);
  const shape = checkSchema(manifestSchema, value, {});
  const repeated = findRepeatedKeys(text).map((key) => `there is a second ${key}`);
  const fields = isObject(value) ? value : {};
  const protocol = checkProtocol(fields.protocol);
  return {
    manifest: shape.length === 0 ? (value as unknown as ModManifest) : undefined,
    hooks: readHooks(fields.hooks),
    problems: [...shape, ...repeated, ...protocol],
    hint: shape.length > 0 ? shapeHint : protocol.length > 0 ? protocolHint : undefined,
  };
}

const shapeHint =
  'an editor shows what may be there, with "$schema": "./node_modules/@codex-js/mod-runner/dist/mod.schema.json" in mod.json';
const protocolHint = "use a version of the mod, or of @codex-js/mod-runner, that fits the other";

/** `main.ts#default` and the like, taken apart. */
function readHooks(hooks: unknown): ReadonlyMap<string, HookTarget> {
  const { additionalProperties: targetSchema } = hooksSchema!;
  if (!isObject(hooks) || typeof targetSchema !== "object") return new Map();
  const targets = Object.entries(hooks).filter(
    (entry): entry is [string, string] => checkSchema(targetSchema, entry[1], {}).length === 0,
  );
  const entries = targets.map(([name, target]): [string, HookTarget] => {
    const [module = "", exported = "default"] = target.split("#");
    return [name, { module: module.replace(/^\.\//, ""), export: exported }];
  });
  return new Map(entries);
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ModError("mod_invalid", `${place} is no JSON: ${describeJsonFault(text, cause)}`, { cause });
  }
}

/** What is no version at all the schema refuses. */
function checkProtocol(protocol: unknown): string[] {
  if (typeof protocol !== "string" || checkSchema(protocolSchema!, protocol, {}).length > 0) return [];
  const [first = 0, last = first] = protocol.split("-").map(Number);
  const isSpoken = first <= protocolVersion && protocolVersion <= last;
  return isSpoken ? [] : [`it is written for protocol ${protocol}, this host speaks ${protocolVersion}`];
}
