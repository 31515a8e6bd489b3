import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createModelCatalog, modelCatalogFile } from "./config-toml.ts";
import type { MockModel } from "./server.ts";

export interface CodexHomeOptions {
  /** The folder to use; created where missing. Default: a fresh one under the system's temp folder. */
  dir?: string;
  /** Lines for config.toml: top-level settings, then tables. See {@link MockModel.configToml}. */
  extraToml?: string;
}

export interface CodexHome extends AsyncDisposable {
  readonly dir: string;
  /**
   * What the engine needs besides PATH and friends: `CODEX_HOME`, and a home of the same place. The engine
   * runs commands through a login shell, and what somebody's profile prints is no part of a test.
   */
  readonly env: Record<string, string>;
  /** Removes the folder and everything in it. */
  remove(): Promise<void>;
}

/** A CODEX_HOME whose configuration sends every model request to `model` and nothing anywhere else. */
export async function createCodexHome(
  model: Pick<MockModel, "configToml">,
  options: CodexHomeOptions = {},
): Promise<CodexHome> {
  const dir = await createDir(options.dir);
  const extraToml = `model_catalog_json = "${modelCatalogFile}"\n${options.extraToml ?? ""}`;
  await writeFile(join(dir, "config.toml"), model.configToml(extraToml));
  await writeFile(join(dir, modelCatalogFile), JSON.stringify(createModelCatalog()));
  // Windows keeps a just-exited engine's files locked for a moment.
  const remove = () => rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  return {
    dir,
    env: { CODEX_HOME: dir, HOME: dir, USERPROFILE: dir },
    remove,
    [Symbol.asyncDispose]: remove,
  };
}

async function createDir(dir: string | undefined): Promise<string> {
  if (dir === undefined) return realpath(await mkdtemp(join(tmpdir(), "codex-js-home-")));
  await mkdir(dir, { recursive: true });
  return realpath(dir);
}
