import { join } from "node:path";

/** Of the repository. */
export const documentPath = join(import.meta.dirname, "../../../../docs/mod-runner-security.md");
