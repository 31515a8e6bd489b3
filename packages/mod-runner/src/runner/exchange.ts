import type {
  CachesMessage,
  ErrorMessage,
  HostRequestMessage,
  LoadedMessage,
  LogMessage,
  ResultMessage,
  RunnerMessage,
} from "../../generated/messages.ts";
import type { RunnerEnd } from "./runner-end.ts";

/** What a callback comes to, as far as the runner is concerned. */
export type Answer = ResultMessage | LoadedMessage | ErrorMessage | { type: "ended"; end: RunnerEnd };

/** A callback, a load or a render on its way. */
export interface Exchange {
  id: number;
  answerType: "result" | "loaded";
  onLog: (message: LogMessage) => void;
  onRequest: (message: HostRequestMessage) => void;
  onCaches: (message: CachesMessage) => void;
}

/** True for what a callback may say before its answer. */
export function tellExchange(exchange: Exchange, message: RunnerMessage): boolean {
  switch (message.type) {
    case "log":
      exchange.onLog(message);
      return true;
    case "caches":
      exchange.onCaches(message);
      return true;
    case "hostRequest":
      exchange.onRequest(message);
      return true;
    default:
      return false;
  }
}
