import { delimiter } from "node:path";
import { pickMachineEnv, withDirectLoopback } from "@codex-js/cli-kit";

export interface ProjectEnvOptions {
  /** Absolute; the only home that the child knows. */
  home: string;
  /** Folders that come before the machine's PATH. */
  path?: readonly string[];
}

/**
 * The environment of a stranger's shell: the machine's basics, an empty home, and nothing of the npm or
 * pnpm that runs this process, of the user's npm settings, or of any key.
 */
export function createProjectEnv(env: NodeJS.ProcessEnv, options: ProjectEnvOptions): NodeJS.ProcessEnv {
  const machine = withDirectLoopback(pickMachineEnv(env));
  const path = [...(options.path ?? []), machine.PATH].filter((part) => part !== undefined && part !== "");
  return {
    ...machine,
    PATH: path.join(delimiter),
    HOME: options.home,
    USERPROFILE: options.home,
    APPDATA: options.home,
    LOCALAPPDATA: options.home,
  };
}
