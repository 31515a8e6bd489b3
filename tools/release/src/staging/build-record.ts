/** What was built, from what: the document of the step `build`. */
export interface BuildRecord {
  version: 1;
  commit: string;
  dirty: boolean;
  /** Absolute; the later steps pack and check what is in it. */
  stagingDir: string;
  packages: { name: string; version: string }[];
}
