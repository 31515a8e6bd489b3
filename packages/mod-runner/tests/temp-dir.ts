import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A real folder, links resolved, gone when the test is over. */
export function createTempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "codex-js-mod-runner-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  return dir;
}
