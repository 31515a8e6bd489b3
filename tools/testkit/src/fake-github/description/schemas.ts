import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import { deviations } from "./deviations.ts";
import { readDescription, type Schema } from "./read-description.ts";

/** Says what is wrong with a value; empty when nothing is. */
export type Check = (value: unknown) => string[];

/** Words about a schema, which would only be read as unknown keywords. */
const ignoredKeys = new Set([
  "example",
  "examples",
  "description",
  "title",
  "default",
  "discriminator",
  "xml",
]);

const components = new Map<string, Schema>();

/**
 * A check by one of the description's schemas. It is stricter than the schema: a property that the
 * description does not know is wrong as well.
 */
export function createCheck(schema: Schema): Check {
  // With a fresh one for each: the schemas that are referred to are added as they are come upon.
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  // The package is CommonJS; its types say `default`, Node gives the function.
  (formats as unknown as (ajv: Ajv) => void)(ajv);
  const seen = new Set<string>();
  const root = convert(schema, seen);
  const needed = collectComponents(seen);
  const validate: ValidateFunction = ajv.compile({ ...root, definitions: Object.fromEntries(needed) });
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
    );
  };
}

function collectComponents(seen: Set<string>): Map<string, Schema> {
  const needed = new Map<string, Schema>();
  // Converting one may add more to the set, which the loop then comes to.
  for (const name of seen) {
    const own = new Set<string>();
    const known = components.get(name) ?? convert(readDescription().components.schemas[name]!, own);
    components.set(name, known);
    for (const each of listReferences(known)) seen.add(each);
    needed.set(name, known);
  }
  return needed;
}

function listReferences(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === "$ref" && typeof each === "string" ? [each.replace("#/definitions/", "")] : listReferences(each),
  );
}

/** OpenAPI 3.0 to JSON Schema: `nullable`, references, and objects closed to unknown properties. */
function convert(schema: Schema, seen: Set<string>): Schema {
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.replace("#/components/schemas/", "");
    seen.add(name);
    return { $ref: `#/definitions/${name}` };
  }
  const { nullable, ...rest } = convertMembers(schema, seen);
  const closed = "properties" in rest && !("additionalProperties" in rest) && !isCombined(rest);
  const converted: Schema = closed ? { ...rest, additionalProperties: false } : rest;
  return nullable === true ? { anyOf: [converted, { type: "null" }] } : converted;
}

function convertMembers(schema: Schema, seen: Set<string>): Schema {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (ignoredKeys.has(key) || key.startsWith("x-")) return [];
    if (key === "properties") {
      const properties = Object.entries(value as Record<string, Schema>);
      return [[key, Object.fromEntries(properties.map(([name, each]) => [name, convert(each, seen)]))]];
    }
    if (key === "enum" && isAssetState(value))
      return [[key, [...(value as string[]), ...deviations.assetStates]]];
    if (/^(all|any|one)Of$/.test(key))
      return [[key, (value as Schema[]).map((each) => open(convert(each, seen)))]];
    if (/^(items|not|additionalProperties)$/.test(key) && typeof value === "object") {
      return [[key, convert(value as Schema, seen)]];
    }
    return [[key, value]];
  });
  return Object.fromEntries(entries);
}

/** A part of a combination may not refuse what another part allows. */
function open({ additionalProperties, ...schema }: Schema): Schema {
  return additionalProperties === false || additionalProperties === undefined
    ? schema
    : { ...schema, additionalProperties };
}

function isCombined(schema: Schema): boolean {
  return "allOf" in schema || "anyOf" in schema || "oneOf" in schema;
}

function isAssetState(value: unknown): boolean {
  return JSON.stringify(value) === '["uploaded","open"]';
}
