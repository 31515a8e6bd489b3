export { type FaultyRegistry, type FaultyRegistryOptions, startFaultyRegistry } from "./faulty-registry.ts";
export { createNpmrc, writeNpmrc } from "./npmrc.ts";
export { type Registry, type RegistryOptions, startRegistry } from "./registry.ts";
export { readStoredVersion } from "./stored-version.ts";
export type { Uplink } from "./uplink.ts";
export { describeUplink } from "./uplink-route.ts";
export { resolveUserRegistry, type UserRegistryContext } from "./user-registry.ts";
