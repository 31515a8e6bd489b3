import { expect, test } from "vitest";
import { createTranslation, parseEngineConfig } from "./engine-config.ts";

const from = (type: string, file?: string) => ({ name: { type, ...(file === undefined ? {} : { file }) } });
const translate = createTranslation("/trial", "/home/me/.codex/config.toml");

test("says who has set what is in effect, in the user's own paths", () => {
  const result = {
    config: {
      otel: { metrics_exporter: { "otlp-http": { endpoint: "u" } }, exporter: "none", trace_exporter: null },
      analytics: { enabled: true },
      mcp_servers: {
        web: { url: "https://mcp.example", enabled: true },
        off: { command: "x", enabled: false },
        local: { command: "x", enabled: true },
      },
    },
    origins: {
      // What a profile has replaced is listed too, in no particular order.
      "otel.metrics_exporter": from("user", "/trial/config.toml"),
      "otel.metrics_exporter.otlp-http.endpoint": from("sessionFlags"),
      "otel.exporter": from("user", "/trial/config.toml"),
      "analytics.enabled": from("enterpriseManaged"),
    },
  };
  const user = { type: "user", file: "/home/me/.codex/config.toml" };
  const profile = { type: "user", file: "/home/me/.codex/work.config.toml" };
  expect(parseEngineConfig(result, translate, profile.file)).toEqual({
    servers: [
      { name: "local", transport: "stdio" },
      { name: "web", transport: "http" },
    ],
    exporters: {
      metrics_exporter: { state: "set", origin: profile },
      exporter: { state: "none", origin: user },
      trace_exporter: { state: "unset", origin: { type: undefined, file: undefined } },
    },
    analyticsEnabled: true,
    analyticsOrigin: { type: "enterpriseManaged", file: undefined },
  });
});
