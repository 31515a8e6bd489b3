import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { resolveUserPath } from "@codex-js/cli-kit";
import { findHostTarget, readNativeHost } from "./host/host-target.ts";
import { type NativeBuildOptions, prepareNativeBuild } from "./prepare-native-build.ts";
import { v8Error } from "./v8-error.ts";

/** Says to turbo's tasks what a native build here is made from: see {@link describeNativeInputs}. */
export const nativeVariable = "CODEX_JS_NATIVE";
/** Names a folder with the programs that other machines have built: `ID/codex-js-mod-runner` and its manifest. */
export const binariesVariable = "CODEX_JS_MOD_RUNNER_BINARIES";

export interface NativeInputs {
  /** To be added to the environment of turbo. */
  env: Record<string, string>;
  /** One line on why the native part is left out, and what mends it; undefined where it is not. */
  skipped: string | undefined;
}

/**
 * What a native build on this machine is made from, in one value that belongs to the key of a cache. What was
 * left out for want of V8 is then not served again once V8 is there.
 *
 * | value                | meaning                                                          |
 * | -------------------- | ---------------------------------------------------------------- |
 * | `DIGEST+RUSTC`       | SHA-256 of V8's archive, and the compiler's version              |
 * | `binaries:DIGEST`    | the programs of `CODEX_JS_MOD_RUNNER_BINARIES`, by their digests |
 * | `skipped:CODE`       | V8 or Rust is missing, and why                                   |
 * | `unsupported:TRIPLE` | no mod runner is built for this machine                          |
 *
 * A workspace without the crate has nothing native, and nothing is set.
 * @throws ToolError CODEX_JS_V8_NO_BINARIES (usage), and those of {@link prepareNativeBuild}
 */
export async function describeNativeInputs(options: NativeBuildOptions): Promise<NativeInputs> {
  const { context, crateDir } = options;
  if (!existsSync(crateDir)) return { env: {}, skipped: undefined };
  const binaries = context.env[binariesVariable];
  if (binaries) return describeBinaries(resolveUserPath(context.cwd, binariesVariable, binaries));
  const host = findHostTarget(readNativeHost());
  if (host.modRunner === false) {
    return { env: { [nativeVariable]: `unsupported:${host.triple}` }, skipped: undefined };
  }
  const build = await prepareNativeBuild(options);
  if (build.status === "ready") {
    const { v8, toolchain } = build;
    return { env: { [nativeVariable]: `${v8.archive.sha256}+${toolchain.rustc}` }, skipped: undefined };
  }
  const { code, reason, hint } = build;
  const fix = hint === undefined ? "" : `; to have it: ${hint}`;
  return {
    env: { [nativeVariable]: `skipped:${code}` },
    skipped: `the native mod runner is left out: ${reason} (${code})${fix}`,
  };
}

async function describeBinaries(dir: string): Promise<NativeInputs> {
  const digest = createHash("sha256");
  const ids = await readdir(dir).catch((cause: unknown) => {
    throw v8Error("CODEX_JS_V8_NO_BINARIES", `${binariesVariable} names ${dir}, which cannot be read`, {
      hint: `unset it, or name the folder that \`pnpm workflow native\` has filled`,
      cause,
    });
  });
  for (const id of ids.sort()) {
    // Manifests name the digests of their programs, which are verified when they are taken.
    const manifest = await readFile(join(dir, id, "runner.json")).catch(() => undefined);
    if (manifest !== undefined) digest.update(`${id}\n`).update(manifest);
  }
  return {
    env: { [nativeVariable]: `binaries:${digest.digest("hex")}`, [binariesVariable]: dir },
    skipped: undefined,
  };
}
