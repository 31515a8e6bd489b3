/**
 * What the packages of this repository take from the engine's protocol. A type stands here when a
 * package surfaces it, so that a roll of the declarations holds nothing that nobody uses.
 *
 * Types of methods, notifications and server requests (`ClientRequest`, `ServerNotification`,
 * `ServerRequest` and what they refer to) come in a block of their own below, with the first package
 * that speaks the protocol.
 *
 * @module
 */

// Configuration values that the command line and the protocol share.
export type { SandboxMode } from "../generated/v2/SandboxMode.ts";
// Payloads that `codex exec` passes through unchanged.
export type { WebSearchAction } from "../generated/WebSearchAction.ts";
export type { WebSearchMode } from "../generated/WebSearchMode.ts";
