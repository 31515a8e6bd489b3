import { expect, test } from "vitest";
import { createConfigToml } from "./config-toml.ts";

test("sends requests to the server and telemetry nowhere", () => {
  expect(createConfigToml("http://127.0.0.1:1/v1")).toBe(`model = "mock-model"
model_provider = "mock"


[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:1/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[otel]
exporter = "none"
metrics_exporter = "none"
trace_exporter = "none"
`);
});

test("what the caller names takes the place of ours", () => {
  const extra = `model = "other"\napproval_policy = "never"\n[otel]\nmetrics_exporter = "none"\n`;
  expect(createConfigToml("http://127.0.0.1:1/v1", extra)).toBe(`model_provider = "mock"
model = "other"
approval_policy = "never"
[otel]
metrics_exporter = "none"

[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:1/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false
`);
});
