import type { CliContext } from "@codex-js/cli-kit";
import { explainFailure } from "./explain-failure.ts";
import { prepareKeptDir } from "./kept-dir.ts";
import type { ReleaseLayout } from "./layout.ts";
import { takeLock } from "./lock.ts";
import { createSession, type ReleaseSession } from "./session.ts";
import { withPnpmOnPath } from "./staging/find-pnpm.ts";

/**
 * Holds the out dir while `use` works in it.
 * @throws ToolError CODEX_JS_RELEASE_LOCKED (external), CODEX_JS_RELEASE_OUT_DIR_UNUSABLE (usage)
 */
export async function withSession<Value>(
  context: CliContext,
  layout: ReleaseLayout,
  use: (session: ReleaseSession) => Promise<Value>,
  { whole = false }: { whole?: boolean } = {},
): Promise<Value> {
  const lock = await prepareAndLock(context, layout);
  try {
    return await use(createSession(await withPnpmOnPath(context), layout, whole));
  } finally {
    await lock[Symbol.asyncDispose]();
  }
}

async function prepareAndLock(context: CliContext, layout: ReleaseLayout): Promise<AsyncDisposable> {
  try {
    await prepareKeptDir({ path: layout.outDir, flag: "--out" });
    return await takeLock(layout.lockFile, context.now(), "--out");
  } catch (error) {
    throw await explainFailure(error, layout.outDir);
  }
}
