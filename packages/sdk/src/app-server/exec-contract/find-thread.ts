import { realpathSync } from "node:fs";
import type { AppServerClient } from "../client.ts";

/** Every source, those that a list leaves out by default included. */
const sourceKinds = [
  "cli",
  "vscode",
  "exec",
  "appServer",
  "subAgent",
  "subAgentReview",
  "subAgentCompact",
  "subAgentThreadSpawn",
  "subAgentOther",
  "unknown",
] as const;

/** Whether the engine takes a text for a thread's id; anything else is a name. */
export function isThreadId(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

/** The id of the latest thread of that name in that folder, as `exec resume` finds it. */
export async function findThreadByName(
  client: AppServerClient,
  name: string,
  cwd: string | undefined,
): Promise<string | undefined> {
  let cursor: string | null = null;
  do {
    const page: { data: { id: string; name: string | null; cwd: string }[]; nextCursor: string | null } =
      await client.request("thread/list", {
        cursor,
        limit: 100,
        sortKey: "updated_at",
        sourceKinds: [...sourceKinds],
        archived: false,
        searchTerm: name,
      });
    const found = page.data.find(
      (thread) => thread.name === name && (cwd === undefined || isSameDir(thread.cwd, cwd)),
    );
    if (found !== undefined) return found.id;
    cursor = page.nextCursor;
  } while (cursor !== null);
  return undefined;
}

function isSameDir(path: string, dir: string): boolean {
  try {
    return realpathSync(path) === realpathSync(dir);
  } catch {
    return path === dir;
  }
}
