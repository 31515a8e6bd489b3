/** The model's name in the configuration, in the catalog, and in every request. */
const mockModelName = "mock-model";

/** File beside config.toml that {@link createModelCatalog} is written to. */
export const modelCatalogFile = "models.json";

/**
 * A `config.toml` that sends model requests to `baseUrl`, without retries, and telemetry nowhere.
 * `extra` comes before the first table and may hold tables itself; a setting or table that it names
 * (`model = …`, `[otel]`) takes the place of ours.
 */
export function createConfigToml(baseUrl: string, extra = ""): string {
  const settings = { model: `"${mockModelName}"`, model_provider: '"mock"' };
  const tables = {
    "model_providers.mock": [
      'name = "mock"',
      `base_url = "${baseUrl}"`,
      'wire_api = "responses"',
      "request_max_retries = 0",
      "stream_max_retries = 0",
    ],
    analytics: ["enabled = false"],
    otel: ['exporter = "none"', 'metrics_exporter = "none"', 'trace_exporter = "none"'],
  };
  const isOurs = ([name]: [string, unknown]) => !names(extra, name);
  return [
    ...Object.entries(settings)
      .filter(isOurs)
      .map(([name, value]) => `${name} = ${value}`),
    extra.trim(),
    ...Object.entries(tables)
      .filter(isOurs)
      .map(([name, lines]) => `\n[${name}]\n${lines.join("\n")}`),
    "",
  ].join("\n");
}

/** True for `name = …`, `name.key = …`, `[name]` and `[name.key]` at the start of a line. */
function names(toml: string, name: string): boolean {
  return new RegExp(`^\\s*\\[?\\s*${name.replaceAll(".", "\\.")}\\s*[=.\\]]`, "m").test(toml);
}

/**
 * What the engine needs to know of the model. Without it every thread starts with an error item about
 * missing model metadata. An engine that wants more fields says so and ends; the test beside this shows it.
 */
export function createModelCatalog(): object {
  const model = {
    slug: mockModelName,
    display_name: "Mock",
    base_instructions: "You are a mock.",
    supported_reasoning_levels: ["low", "medium", "high"].map((effort) => ({ effort, description: effort })),
    default_reasoning_level: "medium",
    shell_type: "unified_exec",
    apply_patch_tool_type: "freeform",
    visibility: "list",
    supported_in_api: true,
    priority: 1,
    support_verbosity: false,
    truncation_policy: { mode: "tokens", limit: 10_000 },
    context_window: 272_000,
    experimental_supported_tools: [],
    input_modalities: ["text", "image"],
  };
  return { models: [model] };
}
