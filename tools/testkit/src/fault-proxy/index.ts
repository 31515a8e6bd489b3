export type { Fault, FaultRule, JournalEntry } from "../fault-plan/index.ts";
export { type FaultProxy, type FaultProxyOptions, startFaultProxy } from "./fault-proxy.ts";
