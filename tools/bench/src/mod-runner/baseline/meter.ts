import v8 from "node:v8";
import type { Usage } from "../protocol.ts";

export interface Meter {
  countRequest(): void;
  read(): Usage;
}

export function startMeter(): Meter {
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  let hostRequests = 0;
  return {
    countRequest: () => {
      hostRequests++;
    },
    read() {
      const { user, system } = process.cpuUsage(cpuBefore);
      const { used_heap_size: heapBytes, external_memory: externalBytes } = v8.getHeapStatistics();
      const elapsedMs = performance.now() - startedAt;
      return {
        elapsedMs,
        cpuMs: (user + system) / 1000,
        heapBytes,
        externalBytes,
        hostRequests,
        logsDropped: 0,
      };
    },
  };
}
