/** Every keyword of JSON Schema that `checkSchema` knows; a schema with another one is not generated. */
export const schemaKeywords = [
  "$ref",
  "type",
  "const",
  "enum",
  "pattern",
  "patternErrorMessage",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "items",
  "maxItems",
  "uniqueItems",
  "properties",
  "required",
  "additionalProperties",
  "propertyNames",
  "minProperties",
  "maxProperties",
  "oneOf",
] as const;

/** The part of JSON Schema 2020-12 that the protocol and the manifest need. */
export interface Schema {
  /** Name of another definition. */
  $ref?: string;
  type?: "string" | "number" | "integer" | "boolean" | "null" | "object" | "array";
  const?: string | number | boolean | null;
  enum?: readonly (string | number)[];
  pattern?: string;
  /** What the pattern means, for people; editors that know JSON Schema show it as well. */
  patternErrorMessage?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  maxItems?: number;
  /** Of strings and numbers. */
  uniqueItems?: boolean;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  minProperties?: number;
  maxProperties?: number;
  /** Told apart by the constant in `type`, or by being the only one that fits. */
  oneOf?: readonly Schema[];
}
