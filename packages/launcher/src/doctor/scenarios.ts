import { type EngineConfig, type ExporterKey, exporterKeys } from "./engine-config.ts";
import { isBareKey } from "./toml-literal.ts";

/** One way to run the engine, to compare with the configuration as it is. */
export interface Scenario {
  /** Stable: `as-is`, `metrics-off`, `logs-off`, `traces-off`, `exporters-off`, `analytics-off`, `without:NAME`. */
  id: string;
  /** What is left out, in words. */
  label: string;
  /** For `-c`, on top of what every measurement has. */
  overrides: string[];
  /** The exporters that it switches off. */
  exporters: ExporterKey[];
  /** The MCP server that it leaves out. */
  server: string | undefined;
  /** Id of the scenario that has all of this but the one thing left out; its own for `as-is`. */
  comparedWith: string;
}

const exporterNames: Record<ExporterKey, { id: string; label: string }> = {
  metrics_exporter: { id: "metrics-off", label: "metrics exporter" },
  exporter: { id: "logs-off", label: "log exporter" },
  trace_exporter: { id: "traces-off", label: "trace exporter" },
};

/**
 * `as-is` first, then everything that could be left out of it. Servers are compared without exporters: an
 * engine that waits for a collector gives a slow server the time to stop unseen.
 */
export function planScenarios(config: EngineConfig): Scenario[] {
  const active = exporterKeys.filter((key) => isActive(config, key));
  const scenarios = [create("as-is", "configuration as it is", [])];
  for (const key of active) {
    const { id, label } = exporterNames[key];
    scenarios.push({ ...create(id, label, [exporterOff(key)]), exporters: [key] });
  }
  if (active.length > 1) {
    const together = create("exporters-off", "all exporters together", active.map(exporterOff));
    scenarios.push({ ...together, exporters: active });
  }
  const quiet = scenarios.findLast(({ exporters }) => exporters.length > 0) ?? scenarios[0]!;
  if (config.analyticsEnabled !== false) {
    scenarios.push(create("analytics-off", "analytics", ["analytics.enabled=false"]));
  }
  for (const { name } of config.servers.filter((server) => isBareKey(server.name))) {
    const off = create(`without:${name}`, `MCP server ${name}`, [
      ...quiet.overrides,
      `mcp_servers.${name}.enabled=false`,
    ]);
    scenarios.push({ ...off, server: name, comparedWith: quiet.id });
  }
  return scenarios;
}

/**
 * Metrics go to a collector of the engine's maker unless something says otherwise; logs and traces go
 * nowhere unless something says where.
 */
function isActive({ exporters, analyticsEnabled }: EngineConfig, key: ExporterKey): boolean {
  const { state } = exporters[key];
  return state === "set" || (state === "unset" && key === "metrics_exporter" && analyticsEnabled !== false);
}

const exporterOff = (key: ExporterKey): string => `otel.${key}="none"`;

function create(id: string, label: string, overrides: string[]): Scenario {
  return { id, label, overrides, exporters: [], server: undefined, comparedWith: "as-is" };
}
