import { z } from "zod";
import { integrity, packageList, packageName, packageVersion } from "../document-fields.ts";

const publishOutcome = z.object({
  name: packageName,
  version: packageVersion,
  integrity,
  /** `already-there`: the registry had this version with the same bytes before this run. */
  state: z.enum(["published", "already-there"]),
});
export type PublishOutcome = z.infer<typeof publishOutcome>;

/** What the registry has now: the document of the step `publish`. */
export const publishReport = z.object({
  version: z.literal(1),
  target: z.string().min(1),
  registryUrl: z.url(),
  packages: packageList(publishOutcome),
  /** Platform packages that this registry does not have: other machines build them. */
  leftOut: z.array(packageName).optional(),
});
export type PublishReport = z.infer<typeof publishReport>;
