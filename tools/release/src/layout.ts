import { join } from "node:path";

/** Where a release keeps its things; every path is absolute. */
export interface ReleaseLayout {
  root: string;
  outDir: string;
  lockFile: string;
  /** The copy of the working tree that versions are applied to and packages are built in. */
  stagingDir: string;
  /** The tarballs that are gated and published, one a package. */
  tarballsDir: string;
  /** The registry that single steps share; a whole run has one of its own, in a temp folder. */
  registryDir: string;
  reportFile: string;
}

export function resolveLayout(root: string, outDir: string): ReleaseLayout {
  return {
    root,
    outDir,
    lockFile: join(outDir, "lock.json"),
    stagingDir: join(outDir, "staging"),
    tarballsDir: join(outDir, "tarballs"),
    registryDir: join(outDir, "registry"),
    reportFile: join(outDir, "report.json"),
  };
}
