export { saysDiskFull } from "./disk-space.ts";
export { ensureRuntime } from "./ensure-runtime.ts";
export { parsePackageVersion } from "./package-version.ts";
export { findExternalFailure, formatEvent, formatReport, formatRuntime, isOk } from "./report.ts";
export { runSmokes } from "./run-smokes.ts";
export type { Runtime } from "./runtime-store.ts";
export { runtimeSpecs } from "./runtimes.ts";
export type {
  CheckResult,
  PackageVersion,
  RuntimeResult,
  SmokeEvent,
  SmokeOptions,
  SmokeReport,
} from "./types.ts";
export { findWorkspaceTools, type WorkspaceTools } from "./workspace-tools.ts";
