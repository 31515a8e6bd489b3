import { type FetchOptions, fetchPrebuilt } from "./fetch/fetch-prebuilt.ts";
import type { FetchedTarget } from "./fetch/types.ts";
import { findHostTarget, readNativeHost } from "./host/host-target.ts";
import { findRustToolchain, pickRustEnv, type RustToolchain } from "./host/rust-toolchain.ts";
import { isV8Unavailable, type V8ErrorCode } from "./v8-error.ts";

export interface NativeBuildOptions extends Omit<FetchOptions, "targets"> {
  /** Triple; default: this machine's. */
  target?: string;
  /** Folder of the crate, which may choose its toolchain. */
  crateDir: string;
  /** Default: true where `CI` is set. */
  strict?: boolean;
}

export type NativeBuild =
  | {
      status: "ready";
      toolchain: RustToolchain;
      v8: FetchedTarget;
      /** cargo's whole environment. */
      env: NodeJS.ProcessEnv;
    }
  /** `reason` is one line, for the user and for the count of what was skipped; `hint` mends it. */
  | { status: "skipped"; code: V8ErrorCode; reason: string; hint: string | undefined };

/**
 * Gets together what building against V8 takes, or says why that cannot be done here: without V8 or without
 * Rust a build goes on and leaves the native part out, unless it is strict.
 * @throws ToolError for every fault that is to be mended; strict for the reasons too
 */
export async function prepareNativeBuild(options: NativeBuildOptions): Promise<NativeBuild> {
  const { context, crateDir, target, strict = isContinuousIntegration(context.env), ...fetch } = options;
  try {
    // First, since it costs nothing and needs no network.
    const toolchain = await findRustToolchain({ ...context, cwd: crateDir });
    const triple = target ?? findHostTarget(readNativeHost()).triple;
    const { targets } = await fetchPrebuilt({ ...fetch, context, targets: [triple] });
    const v8 = targets[0]!;
    return { status: "ready", toolchain, v8, env: { ...pickRustEnv(context.env), ...v8.env } };
  } catch (error) {
    if (strict || !isV8Unavailable(error)) throw error;
    const [reason = ""] = error.message.split("\n", 1);
    return { status: "skipped", code: error.code, reason, hint: error.hint };
  }
}

function isContinuousIntegration({ CI }: NodeJS.ProcessEnv): boolean {
  return CI !== undefined && !["", "0", "false"].includes(CI.toLowerCase());
}
