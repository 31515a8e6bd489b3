import type { Host, HostError } from "@codex-js/mod-runner/mod";
import icons from "./icons.json" with { type: "json" };

interface Changes {
  added: number;
  deleted: number;
}

/** Segments about the repository; none where the host does not let this mod see it. */
export async function readGit(host: Host): Promise<string[]> {
  try {
    const [branch, changes] = await Promise.all([
      host.call<string | null>("git.branch"),
      host.call<Changes | null>("git.changes", { staged: true }),
    ]);
    return branch === null ? [] : [`${icons.branch} ${branch}`, ...formatChanges(changes)];
  } catch (error) {
    if ((error as HostError).code !== "host_operation_denied") throw error;
    console.warn("no access to git:", (error as HostError).message);
    return [];
  }
}

function formatChanges(changes: Changes | null): string[] {
  if (changes === null || changes.added + changes.deleted === 0) return [];
  return [`${icons.added}${changes.added} ${icons.deleted}${changes.deleted}`];
}
