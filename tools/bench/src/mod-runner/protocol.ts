/**
 * The messages of packages/mod-runner/PROTOCOL.md, version 1, as far as the benchmark's client and its
 * baseline use them; PROTOCOL.md says what they mean.
 */
export const protocolVersion = 1;

export interface ModIdentity {
  name: string;
  /** SHA-256 of the package, lower-case hexadecimal. */
  digest: string;
}

/** What `callback` and `load` have in common. */
interface PackageFields {
  id: number;
  mod: ModIdentity;
  /** Text by path; may be left out when this runner was given them before. */
  modules?: Record<string, string>;
  /** By path, base64. */
  caches?: Record<string, string>;
  wantCaches?: boolean;
  budgetMs: number;
}

export interface CallbackMessage extends PackageFields {
  type: "callback";
  hook: { module: string; export: string };
  input: unknown;
}

export interface LoadMessage extends PackageFields {
  type: "load";
  module: string;
}

export interface RenderMessage {
  type: "render";
  id: number;
  export: string;
  input: unknown;
  budgetMs: number;
}

/** What gets exactly one answer. */
export type TurnMessage = CallbackMessage | LoadMessage | RenderMessage;

export interface HostReplyMessage {
  type: "hostReply";
  callback: number;
  request: number;
  value?: unknown;
  error?: { code: string; message: string };
}

export type HostMessage =
  | TurnMessage
  | HostReplyMessage
  | { type: "hello"; protocolVersion: number; cacheKey?: string }
  | { type: "cancel"; id: number }
  | { type: "shutdown" };

export interface Usage {
  elapsedMs: number;
  cpuMs: number;
  heapBytes: number;
  externalBytes: number;
  hostRequests: number;
  logsDropped: number;
}

export interface ReadyMessage {
  type: "ready";
  ready: true;
  protocolVersion: number;
  runnerVersion: string;
  v8Version: string;
  pid: number;
  sandbox: { mode: string; enforced: Record<string, unknown> };
}

interface ResultMessage {
  type: "result";
  id: number;
  value: unknown;
  usage: Usage;
}

interface LoadedMessage {
  type: "loaded";
  id: number;
  usage: Usage;
}

/** A place in the author's file; both count from 1. */
interface Location {
  module: string;
  line: number;
  column: number;
}

export interface StackFrame extends Location {
  function?: string;
}

export interface ErrorFields {
  code: string;
  message: string;
  reason?: string;
  name?: string;
  syntaxCode?: string;
  location?: Location;
  stack?: StackFrame[];
  unloaded?: boolean;
}

interface ErrorMessage extends ErrorFields {
  type: "error";
  id: number | null;
  usage?: Usage;
}

/** What ends a turn. */
export type AnswerMessage = ResultMessage | LoadedMessage | ErrorMessage;

export interface HostRequestMessage {
  type: "hostRequest";
  callback: number;
  request: number;
  operation: string;
  input: unknown;
}

export interface LogMessage {
  type: "log";
  id: number;
  level: string;
  text: string;
}

export interface CachesMessage {
  type: "caches";
  id: number;
  caches: Record<string, string>;
}

export type RunnerMessage = ReadyMessage | AnswerMessage | HostRequestMessage | LogMessage | CachesMessage;
