import { readMemory, readRssWithPs } from "../runner/memory.ts";
import type { Runner } from "../runner/runner.ts";

/** Of `/proc`, and of a `ps` that has to be started each time. */
const intervalMs = process.platform === "linux" ? 100 : 1000;

/**
 * Ends runners whose process is above the limit. Theirs are the first bounds, of the heap and of the data
 * outside of it; this one is for what gets past them.
 */
export class MemoryWatchdog {
  readonly #limitBytes: number;
  readonly #runners: () => Iterable<Runner>;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitBytes: number, runners: () => Iterable<Runner>) {
    this.#limitBytes = limitBytes;
    this.#runners = runners;
  }

  /** Looks from now on, for as long as any runner is busy. */
  start(): void {
    this.#timer ??= setInterval(() => void this.#check(), intervalMs).unref();
  }

  async #check(): Promise<void> {
    const runners = [...this.#runners()];
    if (runners.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const runner of runners) {
      const rssBytes = await readRss(runner.pid);
      if (rssBytes !== undefined && rssBytes > this.#limitBytes) runner.kill("memory");
    }
  }
}

async function readRss(pid: number): Promise<number | undefined> {
  return process.platform === "linux" ? readMemory(pid)?.rssBytes : readRssWithPs(pid);
}
