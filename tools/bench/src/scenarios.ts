import { jsonlScenario } from "./jsonl/scenario.ts";
import { launchScenario } from "./launch/scenario.ts";
import { modRunnerScenario } from "./mod-runner/scenario.ts";
import type { Scenario } from "./scenario.ts";
import { soakScenario } from "./soak/scenario.ts";
import { toolchainScenario } from "./toolchain/scenario.ts";
import { topologyScenario } from "./topology/scenario.ts";
import { turnsScenario } from "./turns/scenario.ts";

/** Every subcommand but `report`, in the order of `--help`. A new scenario is one folder and one line here. */
export const scenarios: readonly Scenario[] = [
  turnsScenario,
  topologyScenario,
  jsonlScenario,
  launchScenario,
  modRunnerScenario,
  toolchainScenario,
  soakScenario,
];
