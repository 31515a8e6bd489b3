export {
  type FaultProxy,
  type FaultProxyOptions,
  type ProxiedRequest,
  startFaultProxy,
} from "./fault-proxy.ts";
export type { Fault, FaultRule } from "./plan.ts";
