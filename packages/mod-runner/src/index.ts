/**
 * Runs untrusted TypeScript mods, each in a small sandboxed process of its own.
 *
 * @packageDocumentation
 */

export type { ListedCode } from "../generated/codes.ts";
export type { ModManifest } from "../generated/manifest.ts";
export type { Location, ProtocolErrorReason, StackFrame } from "../generated/messages.ts";
export { ModError, type ModErrorCode, type ModErrorDetails } from "./errors.ts";
export type {
  ModHostEvent,
  ModIdentity,
  ModLog,
  OperationDenied,
  OperationFailed,
  RunnerEnded,
  RunnerStarted,
} from "./events.ts";
export { type FindRunnerOptions, findRunner, type RunnerProgram } from "./find-runner/find-runner.ts";
export type { ModResult, RunOptions } from "./host/calls.ts";
export type { Mod } from "./host/mod.ts";
export { createModHost, type LoadOptions, type ModFiles, type ModHost } from "./host/mod-host.ts";
export type { ModServer, ServeOptions } from "./host/mod-server.ts";
export {
  type HostOperation,
  HostOperationError,
  type HostOperations,
  type OperationContext,
} from "./operations/host-operation.ts";
export type { ModHostOptions, ModLimits, SandboxMode } from "./options.ts";
export type { HookTarget } from "./package/mod-package.ts";
export type { PoolOptions } from "./pool/pool-options.ts";
export type { PoolCounts } from "./pool/runner-pool.ts";
export type { CallbackStats } from "./stats.ts";
