// Writes platforms/ and the host's optionalDependencies from packages/platforms/targets.json.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runnerTargets } from "../src/find-runner/runner-targets.ts";
import {
  createOptionalDependencies,
  createPlatformFiles,
  type HostManifest,
} from "./platforms/platform-files.ts";

const packageDir = join(import.meta.dirname, "..");
const manifestFile = join(packageDir, "package.json");
const manifest = JSON.parse(await readFile(manifestFile, "utf8")) as HostManifest;

manifest.optionalDependencies = createOptionalDependencies(manifest);
await writeFile(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
for (const target of runnerTargets) {
  const dir = join(packageDir, "platforms", target.id);
  await mkdir(dir, { recursive: true });
  for (const [name, text] of Object.entries(createPlatformFiles(target, manifest))) {
    await writeFile(join(dir, name), text);
  }
}
