import type { Schema } from "./schema.ts";

type Definitions = Readonly<Record<string, Schema>>;
type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Every way in which `value`, which comes from JSON.parse, is not what the schema says; none when it fits.
 * A JSON Schema library as code that is compiled ahead is ten times as large as this and the schemas.
 * @param definitions - what `$ref` names
 * @param path - of the value, for the messages
 */
export function checkSchema(schema: Schema, value: unknown, definitions: Definitions, path = ""): string[] {
  const target = resolve(schema, definitions);
  if (target.oneOf !== undefined) return checkOneOf(target.oneOf, value, definitions, path);
  const problem = checkType(target, value) ?? checkConstant(target, value) ?? checkScalar(target, value);
  if (problem !== undefined) return [`${path || "the value"} ${problem}`];
  if (Array.isArray(value)) return checkArray(target, value, definitions, path);
  return isObject(value) ? checkObject(target, value, definitions, path) : [];
}

function resolve(schema: Schema, definitions: Definitions): Schema {
  return schema.$ref === undefined ? schema : resolve(definitions[schema.$ref]!, definitions);
}

function checkOneOf(
  schemas: readonly Schema[],
  value: unknown,
  definitions: Definitions,
  path: string,
): string[] {
  const type = isObject(value) ? value.type : undefined;
  const named = schemas.find((schema) => resolve(schema, definitions).properties?.type?.const === type);
  if (type !== undefined && named !== undefined) return checkSchema(named, value, definitions, path);
  const fits = schemas.filter((schema) => checkSchema(schema, value, definitions, path).length === 0);
  return fits.length === 1
    ? []
    : [`${path || "the value"} is none of the ${schemas.length} things it may be`];
}

function checkType({ type }: Schema, value: unknown): string | undefined {
  if (type === undefined) return undefined;
  const isRight = type === "integer" ? Number.isInteger(value) : type === describeType(value);
  return isRight ? undefined : `is ${describeType(value)}, expected ${type}`;
}

function describeType(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function checkConstant(schema: Schema, value: unknown): string | undefined {
  if (schema.const !== undefined && schema.const !== value) {
    return `is ${show(value)}, expected ${show(schema.const)}`;
  }
  if (schema.enum === undefined || schema.enum.includes(value as string)) return undefined;
  return `is ${show(value)}, expected one of ${schema.enum.join(", ")}`;
}

function checkScalar(schema: Schema, value: unknown): string | undefined {
  if (typeof value === "string") return checkString(schema, value);
  if (typeof value !== "number") return undefined;
  const { minimum = -Infinity, maximum = Infinity } = schema;
  return value >= minimum && value <= maximum ? undefined : `is ${value}, expected ${minimum} to ${maximum}`;
}

function checkString(
  { pattern, patternErrorMessage, minLength = 0, maxLength = Infinity }: Schema,
  text: string,
): string | undefined {
  // Code points, as the standard counts; no string has more of them than code units.
  const isLong = text.length > maxLength && [...text].length > maxLength;
  if (isLong) return `has more than ${maxLength} characters`;
  if (text.length < minLength) return "is empty";
  if (pattern === undefined || new RegExp(pattern, "u").test(text)) return undefined;
  return `is ${show(text)}, expected ${patternErrorMessage ?? pattern}`;
}

function checkArray(
  schema: Schema,
  value: readonly unknown[],
  definitions: Definitions,
  path: string,
): string[] {
  const { items, maxItems = Infinity } = schema;
  if (value.length > maxItems) return [`${path} has ${value.length} items, expected at most ${maxItems}`];
  if (schema.uniqueItems === true && new Set(value).size < value.length) return [`${path} has an item twice`];
  if (items === undefined) return [];
  return value.flatMap((item, index) => checkSchema(items, item, definitions, `${path}[${index}]`));
}

function checkObject(schema: Schema, value: JsonObject, definitions: Definitions, path: string): string[] {
  const keys = Object.keys(value);
  const place = (key: string) => (path === "" ? key : `${path}.${key}`);
  const missing = (schema.required ?? []).filter((key) => !Object.hasOwn(value, key));
  return [
    ...checkCount(schema, keys.length, path),
    ...missing.map((key) => `${place(key)} is missing`),
    ...keys.flatMap((key) => checkName(schema, key, definitions, path)),
    ...keys.flatMap((key) => {
      const inner = findInner(schema, key);
      if (inner === true) return [];
      return inner === false
        ? [`${place(key)} is not known`]
        : checkSchema(inner, value[key], definitions, place(key));
    }),
  ];
}

function checkCount(
  { minProperties = 0, maxProperties = Infinity }: Schema,
  count: number,
  path: string,
): string[] {
  if (count >= minProperties && count <= maxProperties) return [];
  return [`${path || "the value"} has ${count} entries, expected ${minProperties} to ${maxProperties}`];
}

function checkName({ propertyNames }: Schema, key: string, definitions: Definitions, path: string): string[] {
  return propertyNames === undefined
    ? []
    : checkSchema(propertyNames, key, definitions, `${path || "a"} key`);
}

function findInner({ properties = {}, additionalProperties = true }: Schema, key: string): Schema | boolean {
  return Object.hasOwn(properties, key) ? properties[key]! : additionalProperties;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
