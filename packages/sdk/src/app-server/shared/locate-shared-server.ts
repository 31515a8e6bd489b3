import { CodexError } from "../../errors.ts";
import { isThreadActive } from "../await-quiet-thread.ts";
import type { Connection } from "../connection.ts";
import type { ReadyEngine } from "../engine-link.ts";
import { compareVersions, readEngineVersion } from "../engine-version.ts";
import type { MethodResult } from "../protocol.ts";
import type { ServerLocation } from "../remote-engine.ts";
import { joinSharedServer, replaceSharedServer, type SharedServer } from "./join-shared-server.ts";
import { type SharedServerOptions, sharedDefaults } from "./shared-options.ts";

/** How often a server is looked for that is found on its way out. */
export const sharedAttempts = 10;

/**
 * Joins the shared server, starting it where there is none, and replaces one that runs another version.
 * @throws CodexError as {@link joinSharedServer} and {@link replaceSharedServer}; from `accept`
 *   CODEX_JS_SDK_SHARED_VERSION_MISMATCH and _SHARED_CONFIG_CONFLICT
 */
export async function locateSharedServer(
  options: SharedServerOptions,
  signal: AbortSignal,
): Promise<ServerLocation> {
  const server = await joinSharedServer(options, signal);
  return {
    url: server.url,
    leave: server.leave,
    accept: async (ready) => {
      if (!isToBeReplaced(options, server, ready)) return server.isCurrent();
      await replaceSharedServer(options, server.pid, () => hasActiveThread(ready.connection), signal);
      return false;
    },
  };
}

/** Throws where the server must be left alone, but cannot be used. */
function isToBeReplaced(
  options: SharedServerOptions,
  { ownVersion, hasSameArguments, pid }: SharedServer,
  { server }: ReadyEngine,
): boolean {
  const version = readEngineVersion(server.userAgent) ?? "unknown";
  if (version !== ownVersion) {
    const { onVersionMismatch } = { ...sharedDefaults, ...options };
    const isOlder = compareVersions(version, ownVersion) < 0;
    if (onVersionMismatch === "replace" || (onVersionMismatch === "upgrade" && isOlder)) return true;
    throw new CodexError(
      "CODEX_JS_SDK_SHARED_VERSION_MISMATCH",
      `the shared server (process ${pid}) runs engine ${version}, this program has ${ownVersion || "an unknown one"}`,
      {
        hint: `use @openai/codex ${version} here too, end the programs that use the server, or set onVersionMismatch: "replace"`,
      },
    );
  }
  if (hasSameArguments) return false;
  throw new CodexError(
    "CODEX_JS_SDK_SHARED_CONFIG_CONFLICT",
    `the shared server (process ${pid}) was started with other configuration overrides, which hold for all of its programs`,
    { hint: "set them per thread or in config.toml, or use an engine of your own (new Codex())" },
  );
}

async function hasActiveThread(connection: Connection): Promise<boolean> {
  for (let cursor: string | null = null; ; ) {
    const loaded: MethodResult<"thread/loaded/list"> = await connection.request("thread/loaded/list", {
      cursor,
    });
    for (const threadId of loaded.data) {
      if (await isThreadActive(connection, threadId)) return true;
    }
    cursor = loaded.nextCursor;
    if (cursor === null) return false;
  }
}
