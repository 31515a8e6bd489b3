import { dirname } from "node:path/posix";
import type { Finding } from "./finding.ts";

/**
 * Everything that a build resolves is written down in git.
 * @param trackedFiles relative to the root, `/` between folders
 */
export function checkLockFiles(trackedFiles: readonly string[]): Finding[] {
  const tracked = new Set(trackedFiles);
  const findings: Finding[] = [];
  if (!tracked.has("pnpm-lock.yaml")) findings.push(describeMissing("pnpm-lock.yaml", "pnpm install"));
  for (const manifest of trackedFiles.filter((path) => /(^|\/)Cargo\.toml$/.test(path))) {
    if (!hasCargoLock(dirname(manifest), tracked)) {
      findings.push(describeMissing(`${dirname(manifest)}/Cargo.lock`, "cargo generate-lockfile"));
    }
  }
  return findings;
}

/** A crate in a workspace has its lock file in a folder above. */
function hasCargoLock(dir: string, tracked: ReadonlySet<string>): boolean {
  if (tracked.has(dir === "." ? "Cargo.lock" : `${dir}/Cargo.lock`)) return true;
  return dir !== "." && hasCargoLock(dirname(dir), tracked);
}

function describeMissing(path: string, command: string): Finding {
  return {
    code: "CODEX_JS_RELEASE_LOCKFILE_MISSING",
    subject: path,
    message: "it is not in git, so nobody could build the same again",
    hint: `${command}, and commit it`,
  };
}
