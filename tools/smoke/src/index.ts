export { parsePackageVersion } from "./package-version.ts";
export { formatEvent, formatReport, isOk } from "./report.ts";
export { runSmokes } from "./run-smokes.ts";
export { runtimeSpecs } from "./runtimes.ts";
export type {
  CheckResult,
  PackageVersion,
  RuntimeResult,
  SmokeEvent,
  SmokeOptions,
  SmokeReport,
} from "./types.ts";
