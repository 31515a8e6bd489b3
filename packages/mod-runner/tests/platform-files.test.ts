import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  createOptionalDependencies,
  createPlatformFiles,
  type HostManifest,
} from "../scripts/platforms/platform-files.ts";
import { runnerTargets } from "../src/find-runner/runner-targets.ts";

const packageDir = join(import.meta.dirname, "..");
const host = JSON.parse(readFileSync(join(packageDir, "package.json"), "utf8")) as HostManifest;
const hint = "pnpm --filter @codex-js/mod-runner exec node scripts/write-platforms.ts writes it";

test.each(runnerTargets)("the platform package for $id is what targets.json says", (target) => {
  for (const [name, text] of Object.entries(createPlatformFiles(target, host))) {
    const file = join(packageDir, "platforms", target.id, name);
    expect(readFileSync(file, "utf8"), `${file}: ${hint}`).toBe(text);
  }
});

test("the host installs each of them where it fits, in its own version", () => {
  expect(host.optionalDependencies, hint).toEqual(createOptionalDependencies(host));
});
