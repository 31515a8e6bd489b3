/** What a TOML parser gives for a document without dates. */
export type TomlValue = string | number | bigint | boolean | TomlValue[] | { [key: string]: TomlValue };

export const isBareKey = (key: string): boolean => /^[A-Za-z0-9_-]+$/.test(key);

/** `a.b`, with what is no bare key in quotes. */
export function formatKeyPath(path: readonly string[]): string {
  return path.map((key) => (isBareKey(key) ? key : formatString(key))).join(".");
}

/** A value on one line, as it stands behind the equals sign. */
export function formatValue(value: unknown): string {
  if (typeof value === "string") return formatString(value);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(", ")}]`;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object" && value !== null) {
    const pairs = Object.entries(value).map(([key, one]) => `${formatKeyPath([key])} = ${formatValue(one)}`);
    return `{ ${pairs.join(", ")} }`;
  }
  return String(value);
}

/** JSON's escapes are all TOML's too; DEL is the one character that JSON leaves bare and TOML does not. */
function formatString(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}
