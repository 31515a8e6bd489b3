import { type Target, targets } from "@codex-js/platforms";

/** The targets that have a mod runner, and so a platform package. */
export const runnerTargets: readonly Target[] = targets.filter(({ modRunner }) => modRunner !== false);
