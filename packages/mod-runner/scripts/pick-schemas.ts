import { type Schema, schemaKeywords } from "../src/schema/schema.ts";

export interface SchemaDocument {
  $defs?: Record<string, unknown>;
}

/** Says something to people and checks nothing. */
const annotations = ["$schema", "$id", "title", "description", "default", "contentEncoding"];

/**
 * The definition `root` and all that it refers to, without what is for people only.
 * @throws Error for a keyword that `checkSchema` does not know: it would go unchecked
 */
export function pickSchemas(document: SchemaDocument, root: string): Record<string, Schema> {
  const picked: Record<string, Schema> = {};
  const waiting = [root];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name in picked) continue;
    const definition = document.$defs?.[name];
    if (definition === undefined) throw new Error(`the schema has no definition ${name}`);
    picked[name] = cleanSchema(definition, name, (found) => waiting.push(found));
  }
  return picked;
}

function cleanSchema(schema: unknown, place: string, onRef: (name: string) => void): Schema {
  const clean = (inner: unknown, key: string) => cleanSchema(inner, `${place}.${key}`, onRef);
  const entries = Object.entries(schema as object).flatMap(([key, value]): [string, unknown][] => {
    if (annotations.includes(key)) return [];
    if (!(schemaKeywords as readonly string[]).includes(key)) {
      throw new Error(`${place} has the keyword ${key}, which src/schema/check-schema.ts does not check`);
    }
    if (key === "$ref") return [[key, readRef(value as string, onRef)]];
    if (key === "properties") {
      return [
        [key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, clean(inner, name)]))],
      ];
    }
    if (key === "oneOf")
      return [[key, (value as unknown[]).map((inner, index) => clean(inner, String(index)))]];
    const isNested = typeof value === "object" && !Array.isArray(value);
    return [[key, isNested ? clean(value, key) : value]];
  });
  return Object.fromEntries(entries) as Schema;
}

function readRef(ref: string, onRef: (name: string) => void): string {
  const name = ref.replace(/^#\/\$defs\//, "");
  onRef(name);
  return name;
}
