import { dirname } from "node:path";

/** Where telemetry can go, each with an exporter of its own. */
export const exporterKeys = ["metrics_exporter", "exporter", "trace_exporter"] as const;
export type ExporterKey = (typeof exporterKeys)[number];

/** Layers of an organisation, which stand above what users set. */
export const managedLayer = /^(mdm|enterpriseManaged|legacyManaged)/;

/** Who decides a setting. */
export interface Origin {
  /** As the engine names its layers: `user`, `project`, `system`, …; undefined where nobody has set it. */
  type: string | undefined;
  /** The file, where it is one. */
  file: string | undefined;
}

export interface ServerConfig {
  name: string;
  /** How it is reached: a program of its own, or a URL. */
  transport: "stdio" | "http";
}

/** What the engine makes of all configuration files together, as far as it matters here. */
export interface EngineConfig {
  /** The servers that are switched on, by name. */
  servers: ServerConfig[];
  exporters: Record<ExporterKey, { state: "unset" | "none" | "set"; origin: Origin }>;
  /** Undefined where nobody has set it. */
  analyticsEnabled: boolean | undefined;
  analyticsOrigin: Origin;
}

interface ConfigReadResult {
  config: {
    otel?: Partial<Record<string, unknown>> | null;
    analytics?: { enabled?: boolean | null } | null;
    mcp_servers?: Record<string, { enabled?: boolean; url?: string | null }> | null;
  };
  /** By path of every value in every layer, also of those that a higher layer has replaced. */
  origins: Record<string, { name: Layer }>;
}

interface Layer {
  type: string;
  file?: string;
}

/**
 * Reads the answer to `config/read`. `translate` turns the engine's paths into the user's: it read a copy;
 * `flagsFile` is the file that the command line's overrides stand for.
 */
export function parseEngineConfig(
  result: unknown,
  translate: (path: string) => string,
  flagsFile: string | undefined,
): EngineConfig {
  const { config, origins } = result as ConfigReadResult;
  const findOrigin = (path: string, value: unknown): Origin => {
    const name = findLayer(origins, path, value);
    if (name === undefined) return { type: undefined, file: undefined };
    if (name.type === "sessionFlags" && flagsFile !== undefined) return { type: "user", file: flagsFile };
    return { type: name.type, file: name.file === undefined ? undefined : translate(name.file) };
  };
  const readExporter = (key: ExporterKey) => {
    const value = config.otel?.[key];
    const state = value === undefined || value === null ? "unset" : value === "none" ? "none" : "set";
    return [key, { state, origin: findOrigin(`otel.${key}`, value) }] as const;
  };
  return {
    servers: Object.entries(config.mcp_servers ?? {})
      .filter(([, server]) => server.enabled !== false)
      .map(
        ([name, { url }]): ServerConfig => ({
          name,
          transport: typeof url === "string" ? "http" : "stdio",
        }),
      )
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
    exporters: Object.fromEntries(exporterKeys.map(readExporter)) as EngineConfig["exporters"],
    analyticsEnabled: config.analytics?.enabled ?? undefined,
    analyticsOrigin: findOrigin("analytics.enabled", config.analytics?.enabled),
  };
}

/** The topmost layer that has a part in the value at `path`: what is set there, or above, takes effect. */
function findLayer(origins: ConfigReadResult["origins"], path: string, value: unknown): Layer | undefined {
  const isTable = typeof value === "object" && value !== null;
  const layers = Object.entries(origins)
    .filter(([key]) => (isTable ? key.startsWith(`${path}.`) : key === path))
    .map(([, { name }]) => name);
  return (
    layers.find(({ type }) => managedLayer.test(type)) ??
    layers.find(({ type }) => type === "sessionFlags") ??
    layers.find(({ type }) => type === "user") ??
    layers[0]
  );
}

/** Paths below the trial's folder, as paths below the user's. */
export function createTranslation(trialDir: string, userConfigPath: string): (path: string) => string {
  const userDir = dirname(userConfigPath);
  return (path) => (path.startsWith(trialDir) ? userDir + path.slice(trialDir.length) : path);
}
