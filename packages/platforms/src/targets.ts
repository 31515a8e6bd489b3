import table from "../targets.json" with { type: "json" };

/** A machine that something native is built for or looked up for. */
export interface Host {
  platform: NodeJS.Platform;
  /** As `process.arch` names it. */
  arch: string;
}

/** One row of targets.json, the only table of platforms in this repository. */
export interface Target {
  /** Suffix of our own platform packages. */
  id: string;
  os: "linux" | "darwin" | "win32";
  cpu: "x64" | "arm64";
  /** Linux only: the C library that our own native code is linked against. */
  libc?: "glibc" | "musl";
  /** Rust target of our own native code. */
  triple: string;
  /** False where no mod runner is built: its sandbox needs what that system does not have. Default true. */
  modRunner?: boolean;
  /** Where the engine for this machine is: its package, and the folder below `vendor/` in it. */
  engine: { package: string; triple: string };
}

export const targets = table.targets as readonly Target[];

/** The machine this process runs on, as its runtime (not the hardware) sees it. */
export function readHost(): Host {
  return { platform: process.platform, arch: process.arch };
}

/**
 * The engine for `host`, or undefined where there is none. The engine is linked statically on Linux, so
 * the C library does not matter, and Android runs the Linux build.
 */
export function findEngineTarget(host: Host): Target["engine"] | undefined {
  const os = host.platform === "android" ? "linux" : host.platform;
  return targets.find((target) => target.os === os && target.cpu === host.arch)?.engine;
}
