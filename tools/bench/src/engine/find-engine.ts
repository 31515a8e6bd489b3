import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import table from "@codex-js/platforms/targets.json" with { type: "json" };

const require = createRequire(import.meta.url);

export interface Engine {
  /** The native binary, absolute; measured without any launcher before it. */
  binary: string;
  /** Of the npm package. */
  version: string;
  /** The official launcher's entry, absolute. */
  officialLauncher: string;
}

/** The pinned engine. @throws ToolError CODEX_JS_BENCH_NO_ENGINE (usage) */
export function findEngine(
  platform: NodeJS.Platform = process.platform,
  arch: string = process.arch,
): Engine {
  const manifest = require.resolve("@openai/codex/package.json");
  const target = table.targets.find(({ os, cpu }) => os === platform && cpu === arch);
  const binary = target === undefined ? undefined : findBinary(manifest, target.engine, platform);
  if (binary === undefined) {
    throw new ToolError({
      code: "CODEX_JS_BENCH_NO_ENGINE",
      message: `no Codex engine for ${platform}-${arch} is installed`,
      hint: "npx --yes pnpm install",
      exitCode: exitCodes.usage,
    });
  }
  const { version } = require(manifest) as { version: string };
  return { binary, version, officialLauncher: join(dirname(manifest), "bin", "codex.js") };
}

function findBinary(
  manifest: string,
  engine: { package: string; triple: string },
  platform: NodeJS.Platform,
): string | undefined {
  try {
    const platformManifest = createRequire(manifest).resolve(`${engine.package}/package.json`);
    const name = platform === "win32" ? "codex.exe" : "codex";
    const binary = join(dirname(platformManifest), "vendor", engine.triple, "bin", name);
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}
