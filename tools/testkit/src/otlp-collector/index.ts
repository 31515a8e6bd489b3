export {
  type OtlpCollector,
  type OtlpCollectorOptions,
  type OtlpRequest,
  type OtlpSignal,
  startOtlpCollector,
} from "./otlp-collector.ts";
