import type { LockedAsset } from "./lock-schema.ts";

/** What a release calls the files of one target (https://github.com/openai/codex/blob/main/third_party/v8/README.md). */
export interface ReleaseAssets {
  archive: string;
  binding: string;
  /** Two lines: digest and name of each of the others. */
  checksums: string;
}

/** Below the address of all downloads of the repository; the release's own tag. */
export function nameRelease(v8: string): string {
  return `rusty-v8-v${v8}`;
}

/** With pointer compression and the V8 sandbox. */
export function nameReleaseAssets(target: string): ReleaseAssets {
  const build = `ptrcomp_sandbox_release_${target}`;
  const isMsvc = target.endsWith("-windows-msvc");
  return {
    archive: isMsvc ? `rusty_v8_${build}.lib.gz` : `librusty_v8_${build}.a.gz`,
    binding: `src_binding_${build}.rs`,
    checksums: `rusty_v8_${build}.sha256`,
  };
}

export const releaseBaseUrl = "https://github.com/openai/codex/releases/download/";

/** The lock's rows for one target of a release. */
export function toLockedAssets(
  v8: string,
  target: string,
  digests: Readonly<Record<"archive" | "binding", string>>,
): LockedAsset[] {
  const names = nameReleaseAssets(target);
  return (["archive", "binding"] as const).map((kind) => ({
    target,
    kind,
    path: `${nameRelease(v8)}/${names[kind]}`,
    sha256: digests[kind],
  }));
}
