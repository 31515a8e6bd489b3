/**
 * What the packages of this repository take from the engine's protocol. A type stands here when a
 * package surfaces it, so that a roll of the declarations holds nothing that nobody uses.
 *
 * @module
 */

// The protocol itself: what a client says, what the engine says, and the parts that callers name.
export type { ClientInfo } from "../generated/ClientInfo.ts";
export type { ClientRequest } from "../generated/ClientRequest.ts";
export type { InitializeCapabilities } from "../generated/InitializeCapabilities.ts";
export type { InitializeResponse } from "../generated/InitializeResponse.ts";
export type { ClientResponses, ServerRequestResponses } from "../generated/MethodTypes.ts";
export type { RequestId } from "../generated/RequestId.ts";
export type { ServerNotification } from "../generated/ServerNotification.ts";
export type { ServerRequest } from "../generated/ServerRequest.ts";
// Configuration values that the command line and the protocol share.
export type { SandboxMode } from "../generated/v2/SandboxMode.ts";
export type { Turn } from "../generated/v2/Turn.ts";
export type { TurnStartParams } from "../generated/v2/TurnStartParams.ts";
export type { UserInput } from "../generated/v2/UserInput.ts";
// Payloads that `codex exec` passes through unchanged.
export type { WebSearchAction } from "../generated/WebSearchAction.ts";
export type { WebSearchMode } from "../generated/WebSearchMode.ts";
