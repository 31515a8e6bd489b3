import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * A CODEX_HOME in which the TUI comes up at its prompt: the folders are trusted, nothing is looked up on
 * the network, and the model lies on a port that nobody listens on, because no turn is ever run.
 */
export async function createCodexHome(dir: string, projectDirs: readonly string[]): Promise<void> {
  await mkdir(dir, { recursive: true });
  const projects = projectDirs.map((path) => `[projects.${JSON.stringify(path)}]\ntrust_level = "trusted"\n`);
  await writeFile(join(dir, "config.toml"), `${settings}\n${projects.join("\n")}`);
}

const settings = `model = "bench"
model_provider = "nowhere"
check_for_update_on_startup = false

[model_providers.nowhere]
name = "nowhere"
base_url = "http://127.0.0.1:9/v1"
wire_api = "responses"

[analytics]
enabled = false

[otel]
exporter = "none"
metrics_exporter = "none"
trace_exporter = "none"
`;
