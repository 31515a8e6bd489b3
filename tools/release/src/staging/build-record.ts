import { z } from "zod";
import { absolutePath, commitHash, packageList, packageName, packageVersion } from "../document-fields.ts";

/** What was built, from what: the document of the step `build`. */
export const buildRecord = z.object({
  version: z.literal(1),
  commit: commitHash,
  dirty: z.boolean(),
  /** The later steps pack and check what is in it. */
  stagingDir: absolutePath,
  packages: packageList(z.object({ name: packageName, version: packageVersion })),
});
export type BuildRecord = z.infer<typeof buildRecord>;
