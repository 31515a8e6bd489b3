export { resolveCacheRoot } from "./cache/cache-root.ts";
export { type FetchOptions, fetchPrebuilt } from "./fetch/fetch-prebuilt.ts";
export type {
  FetchEvent,
  FetchedAsset,
  FetchedTarget,
  FetchReport,
  FetchSource,
} from "./fetch/types.ts";
export { findHostTarget, type NativeHost, readNativeHost } from "./host/host-target.ts";
export { findRustToolchain, pickRustEnv, type RustToolchain } from "./host/rust-toolchain.ts";
export type { LockedAsset } from "./lock/lock-schema.ts";
export {
  isRepositoryLock,
  listTargets,
  readLock,
  repositoryLockFile,
  resolveLockFile,
  type V8Lock,
} from "./lock/read-lock.ts";
export {
  binariesVariable,
  describeNativeInputs,
  type NativeInputs,
  nativeVariable,
} from "./native-inputs.ts";
export { type NativeBuild, type NativeBuildOptions, prepareNativeBuild } from "./prepare-native-build.ts";
export { isV8Unavailable, type V8ErrorCode } from "./v8-error.ts";
