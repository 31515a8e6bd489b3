import type { ReleasePlan } from "../plan/plan.ts";
import { type Finding, requireNoFindings } from "../preflight/finding.ts";
import { runPreflight } from "../preflight/preflight.ts";
import type { PackedRelease } from "../reuse-packed.ts";
import { type ReleaseSession, runStep } from "../session.ts";
import type { NpmVenue } from "../venue.ts";

/**
 * Preflight: what a release would fail of, before anything irreversible. Without packages it looks at what can
 * be known before packing, so that nobody waits for a build to hear of a wrong token.
 */
export function runPreflightStep(
  session: ReleaseSession,
  venue: NpmVenue,
  plan: ReleasePlan,
  packed: PackedRelease | undefined,
  onFindings: (findings: Finding[]) => void = () => {},
): Promise<void> {
  const { context, layout } = session;
  const [name, title] =
    packed === undefined
      ? (["preflight", "Preflight"] as const)
      : (["preflight-packed", "Preflight of what was packed"] as const);
  return runStep(session, name, title, async () => {
    const findings = await runPreflight({ context, layout, venue, plan, packed });
    onFindings(findings);
    requireNoFindings(findings);
    return { value: undefined, detail: "nothing in the way" };
  });
}
