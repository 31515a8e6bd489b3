import type { ClientOptions } from "../app-server/client.ts";
import type { NotificationMethod } from "../app-server/protocol.ts";
import type { RestartPolicy } from "../app-server/restart-limit.ts";
import type { CloseLadder } from "../app-server/running-engine.ts";
import type { CodexOptions, ConnectOptions, SharedCodexOptions } from "../options.ts";

/** What a client says of itself, and how it behaves. */
export interface ClientBehaviour extends ClientOptions {
  /** Which program this is, for the service. Default: the name `codex_sdk_ts` and this package's version. */
  clientInfo?: { name?: string; title?: string | null; version?: string };
  /**
   * Opens the engine's experimental methods and fields, which the ending of a turn's commands needs;
   * default true.
   */
  experimentalApi?: boolean;
  /** Notifications that the engine is not to send. */
  optOutNotificationMethods?: readonly NotificationMethod[];
  /** How often the engine may crash until it is not started or joined any more. Default: five times in three minutes. */
  restart?: RestartPolicy;
  /** The lowest engine that will do, for example `0.171.0`; default any. */
  minEngineVersion?: string;
  /** Bytes of one message from the engine; default 64 MiB. */
  maxMessageBytes?: number;
}

/** What a client and its own engine have. */
export type CodexClientOptions = Omit<CodexOptions, "transport"> &
  ClientBehaviour & {
    /** Milliseconds from the engine's start until it is ready; default 20,000. */
    startTimeoutMs?: number;
    closeLadder?: CloseLadder;
  };

/** What a client of the shared server has; see {@link CodexClient.shared}. */
export type SharedCodexClientOptions = SharedCodexOptions & ClientBehaviour;

/** What a client of somebody else's server has; see {@link CodexClient.connect}. */
export type ConnectClientOptions = ConnectOptions & ClientBehaviour;
