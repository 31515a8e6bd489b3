import { LineSession } from "../lines/line-session.ts";
import type { LineProbe, Outcome } from "../probe.ts";
import { healthyInput, healthyPath } from "../scene/mod-text.ts";
import { findPeak, readPeakKib } from "./process-memory.ts";
import type { Side } from "./side.ts";
import { readHealth, type Verdict } from "./verdict.ts";

/** Speaks with a runner as a probe wants it, then runs a callback on what is left of it, or on a new one. */
export async function runLineProbe(probe: LineProbe, { program, sandbox }: Side): Promise<Verdict> {
  const args = [`--sandbox=${sandbox}`];
  await using session = await LineSession.start(program, args);
  const outcome = await orSilence(probe.speak(session));
  const peakKib = readPeakKib(session.pid);
  const hasSurvived = session.isAlive && outcome.code !== "silence";
  if (hasSurvived) return await verify(session, outcome, hasSurvived, peakKib);
  await using next = await LineSession.start(program, args);
  return await verify(next, outcome, hasSurvived, peakKib);
}

/** A runner that says nothing is seen as one more outcome: the baseline has some of those. */
async function orSilence(outcome: Promise<Outcome>): Promise<Outcome> {
  try {
    return await outcome;
  } catch {
    return { code: "silence" };
  }
}

async function verify(
  session: LineSession,
  outcome: Outcome,
  hasSurvived: boolean,
  peakKib: number | undefined,
): Promise<Verdict> {
  const next = await orSilence(session.run(healthyPath, { input: healthyInput }));
  return {
    outcome,
    ...readHealth(next),
    hasSurvived,
    peakKib: findPeak(peakKib, readPeakKib(session.pid)),
  };
}
