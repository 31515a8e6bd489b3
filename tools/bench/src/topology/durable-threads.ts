import { startStdioClient } from "../engine/stdio-client.ts";
import type { StartOptions } from "../processes/start-process.ts";
import type { Project } from "./types.ts";

/**
 * One named thread in each folder, that later processes can resume; no turn is run, so no model is needed.
 * A thread that was only started leaves nothing on disk and cannot be resumed. Naming it writes its rollout
 * file and its line of the session index, and that is enough (tried on engine 0.171.0).
 */
export async function createDurableThreads(
  binary: string,
  dirs: readonly string[],
  options: StartOptions,
): Promise<Project[]> {
  const client = await startStdioClient(binary, options);
  try {
    const projects: Project[] = [];
    for (const [index, dir] of dirs.entries()) {
      const { thread } = (await client.request("thread/start", { cwd: dir })) as { thread: { id: string } };
      const threadName = `harness ${String(index + 1).padStart(2, "0")}`;
      await client.request("thread/name/set", { threadId: thread.id, name: threadName });
      projects.push({ dir, threadId: thread.id, threadName });
    }
    return projects;
  } finally {
    await client.close();
  }
}
