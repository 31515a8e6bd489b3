import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createModHost,
  HostOperationError,
  ModError,
  type ModHost,
  type ModHostEvent,
} from "../../src/index.ts";
import type { HostProbe, ModProbe, Outcome } from "../probe.ts";
import { healthyInput, healthyPath, healthySource, manifestText } from "../scene/mod-text.ts";
import { findPeak, readPeakKib } from "./process-memory.ts";
import type { Side } from "./side.ts";
import { readHealth, type Verdict } from "./verdict.ts";

/** Of a host probe: short, since some of them wait until it is over. */
const hostBudgetMs = 500;

/** A host with one runner at a time, and what it is seen to do. */
class ProbeHost implements AsyncDisposable {
  readonly host: ModHost;
  readonly pids: number[] = [];
  onPause: () => void = () => {};
  #peaksKib: (number | undefined)[] = [];

  constructor({ program, sandbox }: Side) {
    this.host = createModHost({
      runnerPath: program,
      sandbox,
      pool: { runners: 1, spare: 0 },
      grants: ["echo", "fails", "pause"],
      operations: {
        echo: (input) => input,
        fails: () => {
          throw new HostOperationError("not_found", "no such thing");
        },
        pause: () => {
          this.onPause();
          return new Promise(() => {});
        },
        secret: () => "secret",
      },
      onEvent: (event) => this.#take(event),
    });
  }

  #take(event: ModHostEvent): void {
    if (event.type === "runner-started") this.pids.push(event.pid);
  }

  get pid(): number {
    return this.pids.at(-1) ?? 0;
  }

  get peakKib(): number | undefined {
    return findPeak(...this.#peaksKib, readPeakKib(this.pid));
  }

  /** One hook of a mod, and what comes of it; of what is no ModError, too, since a probe may find a fault. */
  async run(
    mod: string | { files: Record<string, string> },
    hook: string,
    input: unknown,
    budgetMs?: number,
  ): Promise<Outcome> {
    try {
      const loaded = await this.host.load(mod);
      const { value } = await loaded.run(hook, input, budgetMs === undefined ? {} : { budgetMs });
      return { code: "ok", value };
    } catch (error) {
      if (!(error instanceof ModError)) return { code: `not a ModError: ${error}` };
      const { peakRssBytes } = error.stats ?? {};
      if (peakRssBytes !== undefined) this.#peaksKib.push(Math.round(peakRssBytes / 1024));
      return { code: error.code };
    } finally {
      this.#peaksKib.push(readPeakKib(this.pid));
    }
  }

  /** The next callback: of the same mod where it could be loaded, so that it gets the same runner. */
  async verify(files: Record<string, string>, outcome: Outcome): Promise<Verdict> {
    const before = this.pid;
    const next = await this.run({ files }, "healthy", healthyInput, 30_000);
    return {
      outcome,
      ...readHealth(next),
      hasSurvived: before === this.pid,
      peakKib: this.peakKib,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.host.close();
  }
}

const onlyHealthy = { "mod.json": manifestText(healthyPath, true), [healthyPath]: healthySource };

/** Runs a mod that does what it should not, then a callback that looks for traces of it. */
export async function runModProbe(probe: ModProbe, side: Side): Promise<Verdict> {
  const { entry = "main.ts", budgetMs = 5000 } = probe;
  const modules = typeof probe.mod === "string" ? { "main.ts": probe.mod } : probe.mod;
  const files = { "mod.json": manifestText(entry, true), ...modules, [healthyPath]: healthySource };
  await using probing = new ProbeHost(side);
  const outcome = await probing.run({ files }, "probe", healthyInput, budgetMs);
  // What is no mod at all has had no runner: the next mod has.
  return await probing.verify(probing.pids.length > 0 ? files : onlyHealthy, outcome);
}

/** Runs what the host library has to hold, with a folder of its own. */
export async function runHostProbe(probe: HostProbe, side: Side): Promise<Verdict> {
  const root = mkdtempSync(join(tmpdir(), "codex-js-probe-"));
  const [dir, outside] = [join(root, "mod"), join(root, "outside")];
  for (const folder of [dir, outside]) mkdirSync(folder);
  writeFileSync(join(outside, "secret.json"), '"secret"');
  try {
    await using probing = new ProbeHost(side);
    const outcome = await probe.run({
      dir,
      outside,
      runMod: () => probing.run(dir, "probe", healthyInput, hostBudgetMs),
      runnerPid: () => probing.pid,
      onPause: (listener) => {
        probing.onPause = listener;
      },
    });
    return await probing.verify(onlyHealthy, outcome);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
