import type { Check } from "./check.ts";
import { launcherTurnCheck } from "./launcher-turn.ts";
import { modRunnerCheck } from "./mod-runner.ts";
import { sdkTurnCheck } from "./sdk-turn.ts";
import { typesCheck } from "./types-check.ts";

/** Everything that is tried on each runtime after the install, in this order. */
export const checks: readonly Check[] = [typesCheck, sdkTurnCheck, launcherTurnCheck, modRunnerCheck];
