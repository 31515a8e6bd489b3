export { EngineNotFoundError } from "./engine-error.ts";
export { type EngineLocation, locateEngine } from "./locate-engine.ts";
export { findEngineTarget, type Host, readHost, type Target, targets } from "./targets.ts";
