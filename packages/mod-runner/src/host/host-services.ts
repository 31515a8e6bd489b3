import type { CodeCaches } from "../callback/code-caches.ts";
import type { Settings } from "../options.ts";
import type { RunnerPool } from "../pool/runner-pool.ts";
import type { MemoryWatchdog } from "./memory-watchdog.ts";

/** What the mods of one host share. */
export interface HostServices {
  settings: Settings;
  pool: RunnerPool;
  caches: CodeCaches;
  watchdog: MemoryWatchdog;
}
