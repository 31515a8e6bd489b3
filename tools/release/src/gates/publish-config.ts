import type { PackageManifest } from "@codex-js/pack";
import type { GateProblem } from "./gate.ts";

/**
 * A registry in a package's own manifest beats the one that a release was started for: a rehearsal would
 * publish for real.
 */
export function checkPublishConfig(name: string, manifest: PackageManifest): GateProblem[] {
  const config = (manifest.publishConfig ?? {}) as Record<string, unknown>;
  return Object.keys(config)
    .filter((key) => key === "registry" || key.endsWith(":registry"))
    .map((key) => ({
      package: name,
      message: `publishConfig > ${key} is ${JSON.stringify(config[key])}: the release decides where it publishes`,
      hint: `remove publishConfig > ${key}`,
    }));
}
