import type { HostProbe, LineProbe, ModProbe } from "../probe.ts";
import { runHostProbe, runModProbe } from "./run-in-host.ts";
import { runLineProbe } from "./run-lines.ts";
import type { Side } from "./side.ts";
import type { Verdict } from "./verdict.ts";

export function runProbe(probe: ModProbe | HostProbe | LineProbe, side: Side): Promise<Verdict> {
  if ("mod" in probe) return runModProbe(probe, side);
  return "speak" in probe ? runLineProbe(probe, side) : runHostProbe(probe, side);
}
