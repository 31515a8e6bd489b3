import { existsSync } from "node:fs";
import { join } from "node:path";

const releaseDir = join(import.meta.dirname, "../../native/target/release");

/** Where `cargo build --release --package codex-js-sandbox` leaves it; undefined where it has not been built. */
export function findKernelProbe(): string | undefined {
  const program = join(releaseDir, "kernel-probe");
  return existsSync(program) ? program : undefined;
}
