import type { OperationDenied } from "../events.ts";

/** What a mod was denied, and why. */
export type Denial = Pick<OperationDenied, "operation" | "reason">;

/** For the mod. It is told the same whether the host has the operation or not. */
export function describeDenial({ operation, reason }: Denial): string {
  return reason === "not-asked"
    ? `the mod's manifest does not ask for ${operation}`
    : `the host does not grant ${operation}`;
}

/** For the host, which may know. */
export function explainDenial(denial: Denial): { message: string; hint: string } {
  const { operation, reason } = denial;
  const why = reason === "unknown" ? `the host has no operation ${operation}` : describeDenial(denial);
  return { message: `did not catch a denial: ${why}`, hint: hints[reason] };
}

const hints: Record<OperationDenied["reason"], string> = {
  "not-asked": 'name the operation in "grants" of mod.json',
  "not-granted": "the host has to name the operation in grants",
  unknown: "the host has to have the operation in operations",
};
