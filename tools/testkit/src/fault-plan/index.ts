export type { FaultedServer } from "./apply-fault.ts";
export type { PlainAnswer, PlainRequest } from "./exchange.ts";
export type { Exchange, ExchangeHook } from "./exchange-hook.ts";
export { createFaultedTraffic, type FaultedTraffic, type JournalEntry } from "./faulted-traffic.ts";
export { type Fault, type FaultKind, type FaultRule, parseFaultRules } from "./schema.ts";
