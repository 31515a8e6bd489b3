import { checkDepth, configError, isTable, listEntries, toToml } from "./toml.ts";

/**
 * Flattens nested configuration into `dotted.path=value` texts, in the order of the keys. An empty
 * table below the root is kept as `{}`.
 * @throws CodexError CODEX_JS_SDK_CONFIG_INVALID
 */
export function flattenConfig(config: unknown): string[] {
  if (!isTable(config)) throw configError("Codex config overrides must be a plain object");
  return listEntries(config).flatMap(([key, value]) => flatten(key, value, 0));
}

function flatten(path: string, value: unknown, depth: number): string[] {
  checkDepth(path, depth);
  if (!isTable(value) || Object.keys(value).length === 0) return [`${path}=${toToml(value, path)}`];
  return listEntries(value).flatMap(([key, child]) => flatten(`${path}.${key}`, child, depth + 1));
}
