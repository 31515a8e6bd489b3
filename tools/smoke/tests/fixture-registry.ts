import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTempDir, runProcess } from "@codex-js/cli-kit";
import { startRegistry } from "@codex-js/testkit/registry";
import { findWorkspaceTools } from "../src/workspace-tools.ts";

export interface FixturePackage {
  manifest: { name: string; version: string; [key: string]: unknown };
  files: Record<string, string>;
}

export interface FixtureRegistry {
  url: string;
  publish(fixture: FixturePackage): Promise<void>;
  /** Ends the registry and removes what it has stored. */
  stop(): Promise<void>;
}

/** A registry without an uplink that serves these packages alone; npm has published them. */
export async function startFixtureRegistry(packages: readonly FixturePackage[]): Promise<FixtureRegistry> {
  const temp = await createTempDir("codex-js-smoke-registry");
  const dir = temp.path;
  const registry = await startRegistry({ storageDir: join(dir, "storage"), uplink: null });
  const userconfig = await registry.writeUserconfig(dir);
  let count = 0;
  const publish = (fixture: FixturePackage) =>
    publishFrom(join(dir, `package-${count++}`), fixture, userconfig);
  for (const fixture of packages) await publish(fixture);
  return {
    url: registry.url,
    publish,
    stop: async () => {
      await registry.close();
      await temp.remove();
    },
  };
}

async function publishFrom(
  dir: string,
  { manifest, files }: FixturePackage,
  userconfig: string,
): Promise<void> {
  const { node, npm } = findWorkspaceTools(process.platform);
  await mkdir(dir);
  const all = { ...files, "package.json": JSON.stringify({ type: "module", ...manifest }) };
  for (const [path, text] of Object.entries(all)) await writeFile(join(dir, path), text, { mode: 0o755 });
  const args = [npm.cli, "publish", "--userconfig", userconfig, "--access", "public"];
  await runProcess(node.executable, args, { cwd: dir, env: { ...process.env, HOME: dir, USERPROFILE: dir } });
}
