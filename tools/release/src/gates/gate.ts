import { z } from "zod";
import { integrity, packageList, packageName, packageVersion } from "../document-fields.ts";

/** Every gate of a release, in the order they run: cheap ones first. Nothing is published without all. */
export const gateNames = ["manifest", "publint", "attw", "size", "typecheck", "api"] as const;
export type GateName = (typeof gateNames)[number];

const gateProblem = z.object({
  /** The package it was found in; empty when it concerns none alone. */
  package: z.string(),
  message: z.string(),
  hint: z.string().exactOptional(),
});
export type GateProblem = z.infer<typeof gateProblem>;

const gateResult = z
  .object({
    name: z.string().min(1),
    status: z.enum(["passed", "failed"]),
    durationMs: z.number(),
    problems: z.array(gateProblem),
  })
  .refine(
    ({ status, problems }) => (status === "passed") === (problems.length === 0),
    "a gate has passed when it has no problems, and only then",
  );
export type GateResult = z.infer<typeof gateResult>;

/** What the gates found, about which tarballs: only these may be published. */
export const gateReport = z
  .object({
    version: z.literal(1),
    ok: z.boolean(),
    gates: z.array(gateResult),
    packages: packageList(z.object({ name: packageName, version: packageVersion, integrity })),
  })
  .refine(
    ({ ok, gates }) => ok === gates.every(({ status }) => status === "passed"),
    "ok does not follow from the gates",
  );
export type GateReport = z.infer<typeof gateReport>;

/** One check of the release. It returns everything that it finds and throws only when it cannot look. */
export interface Gate {
  name: string;
  run(): Promise<GateProblem[]>;
}
