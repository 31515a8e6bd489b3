import { formatTable } from "@codex-js/cli-kit";
import type { PlannedPackage, ReleasePlan } from "./plan.ts";

export function formatPlan(plan: ReleasePlan): string {
  const source = `commit ${plan.commit.slice(0, 12)}${plan.dirty ? " with uncommitted changes" : ""}`;
  const table = formatTable(
    ["", "package", "from", "to", "tag", "why", "on the registry"],
    plan.packages.map((pkg, index) => [
      `${index + 1}`,
      pkg.name,
      pkg.from,
      pkg.to,
      pkg.tag,
      formatReason(pkg),
      pkg.registry.state === "absent" ? "absent, to be published" : "there, bytes compared once packed",
    ]),
    [0],
  );
  return `Plan for ${plan.target}, ${source}\n\n${table}\n`;
}

function formatReason(pkg: PlannedPackage): string {
  if (pkg.reason === "changeset") return pkg.changesets.join(", ");
  return pkg.reason === "dependent" ? "released with what it depends on" : "no pending changeset";
}
