export { isInsideArchive, readVersion } from "./engine-files.ts";
export { type Installation, readInstallation } from "./installation.ts";
export { findOmitSetting } from "./omitted-optional.ts";
export { findPackageDir } from "./package-dir.ts";
export { describeIncludeOptional, describeReinstall } from "./remedies.ts";
