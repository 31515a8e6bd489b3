import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

export type Schema = { [key: string]: unknown };

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Schema;
  "x-multi-segment"?: boolean;
}

type Content = Record<string, { schema?: Schema }>;
type Reference = { $ref: string };

export interface OperationDescription {
  operationId: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content } | Reference>;
  servers?: { url: string }[];
}

export interface Description {
  info: { version: string };
  paths: Record<string, Record<string, OperationDescription>>;
  components: {
    schemas: Record<string, Schema>;
    examples: Record<string, { value: unknown }>;
    [kind: string]: Record<string, unknown>;
  };
}

let description: Description | undefined;

/** GitHub's own description of its REST API (OpenAPI 3.0), as `@octokit/openapi` brings it. */
export function readDescription(): Description {
  // By its path: the package's index parses every edition of it, some 400 MB.
  const require = createRequire(import.meta.url);
  const file = require.resolve("@octokit/openapi/generated/api.github.com.json");
  description ??= JSON.parse(readFileSync(file, "utf8")) as Description;
  return description;
}

/** What a `$ref` stands for; anything else as it is. */
export function resolveReference<Value extends object>(value: Value | Reference): Value {
  if (!("$ref" in value)) return value;
  const [, , kind, name] = (value.$ref as string).split("/");
  return readDescription().components[kind!]![name!] as Value;
}
