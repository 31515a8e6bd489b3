import { execFileSync } from "node:child_process";

/** Whether this process may mount a disk of its own: the tests on a full disk are skipped where it may not. */
export function canMount(): boolean {
  try {
    execFileSync("/usr/bin/unshare", ["--mount", "/bin/mount", "-t", "tmpfs", "tmpfs", "/mnt"], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}
