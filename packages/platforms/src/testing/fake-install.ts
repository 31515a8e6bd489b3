import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { findEngineTarget, type Host } from "../targets.ts";

export interface FakeEngine {
  /** Whose platform package to write. */
  host: Host;
  /** Content of the binary; default a shell script. `undefined` leaves the binary out. */
  binary?: string | Uint8Array | undefined;
  /** File mode of the binary; default 0o755. */
  mode?: number;
  /** Default `current`: `vendor/<triple>/bin/codex`. */
  layout?: "current" | "legacy";
}

/** A real folder, symlinks resolved, gone when the test is over. */
export function createTempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "codex-js-platforms-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return dir;
}

/** Writes `files` (path → text) below `dir`. */
export function writeFiles(dir: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

/** Writes `@openai/codex` into a `node_modules` folder, without any platform package. Returns its folder. */
export function writeEnginePackage(nodeModules: string, version = "1.2.3"): string {
  const dir = join(nodeModules, "@openai", "codex");
  writeFiles(dir, { "package.json": JSON.stringify({ name: "@openai/codex", version }) });
  return dir;
}

/** Writes the platform package for `engine.host` into a `node_modules` folder. Returns the binary's path. */
export function writePlatformPackage(nodeModules: string, engine: FakeEngine): string {
  const target = findEngineTarget(engine.host)!;
  const dir = join(nodeModules, target.package);
  writeFiles(dir, { "package.json": JSON.stringify({ name: "@openai/codex", version: "1.2.3-fake" }) });
  return writeVendor(dir, engine);
}

/** Writes `vendor/` in either layout into a package's folder. Returns the binary's path. */
export function writeVendor(packageDir: string, engine: FakeEngine): string {
  const vendor = join(packageDir, "vendor", findEngineTarget(engine.host)!.triple);
  const legacy = engine.layout === "legacy";
  const name = engine.host.platform === "win32" ? "codex.exe" : "codex";
  const binary = join(vendor, legacy ? "codex" : "bin", name);
  writeFiles(vendor, legacy ? { "path/rg": "" } : { "codex-path/rg": "", ...packageMetadata });
  const content = "binary" in engine ? engine.binary : "#!/bin/sh\nexit 0\n";
  if (content === undefined) return binary;
  mkdirSync(dirname(binary), { recursive: true });
  writeFileSync(binary, content);
  chmodSync(binary, engine.mode ?? 0o755);
  return binary;
}

/** Links `path` to the folder `target`, as package managers do; works on Windows without privileges. */
export function linkDir(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, "junction");
}

const packageMetadata = {
  "codex-package.json": JSON.stringify({ layoutVersion: 1, version: "1.2.3", pathDir: "codex-path" }),
};
