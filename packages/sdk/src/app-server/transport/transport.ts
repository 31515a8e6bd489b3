import type { CodexError } from "../../errors.ts";

/** Where a transport delivers to. */
export interface TransportListener {
  /** One whole message, still as JSON text. */
  onMessage(text: string): void;
  /** The first bytes of a message past the bound; the message itself is gone. */
  onOversizedMessage(head: string): void;
}

/** Carries whole messages to and from one engine; knows nothing of their content. */
export interface Transport {
  /** Starts the delivery; once. */
  listen(listener: TransportListener): void;
  /**
   * Sends one message. The promise, where there is one, resolves when the other side has caught up;
   * a message that cannot be delivered shows in {@link Transport.closed}, never here.
   * @throws CodexError CODEX_JS_SDK_MESSAGE_TOO_LONG before anything is sent
   */
  send(text: string): Promise<void> | undefined;
  /** Ends this side in order: end of input on stdio, a close frame on a WebSocket. */
  end(): void;
  /** Whether an open transport keeps the host's process running; it does at first. */
  setRef(keepsAlive: boolean): void;
  /** Why there will be no more messages. Resolves once, after the last message, and never rejects. */
  readonly closed: Promise<CodexError>;
}
