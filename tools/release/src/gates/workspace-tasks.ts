import { findHint, runTurbo, shortenLines, type TurboOptions } from "../staging/run-turbo.ts";
import type { Gate } from "./gate.ts";

/** A turbo task of the whole workspace as a gate's check, run in the staging copy. */
export function createTaskCheck(task: string, options: TurboOptions): Gate["run"] {
  return async () => {
    const run = await runTurbo([task], options);
    if (run.ok) return [];
    if (run.failed.length === 0) return [{ package: "", message: run.tail }];
    return run.failed.map((failed) => ({
      package: failed.package,
      message: shortenLines(failed),
      hint: findHint(failed) ?? `pnpm ${task}`,
    }));
  };
}
