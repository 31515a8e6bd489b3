import { buildOperationServer, missingCargo } from "../native/build-crate.ts";
import { startNativeBridge } from "../native/native-bridge.ts";
import { missingRunner, runnerPath, startRunner } from "../native/runner-process.ts";
import { bundleLayer, createLayerRealm } from "../realm/test-realm.ts";
import type { Case } from "./case.ts";
import { type Outcomes, runCases, runCasesInRunner } from "./run-cases.ts";

/** Something that is compared with Node. */
export interface Side {
  readonly name: string;
  /** Why it cannot run here. */
  readonly missing: string | undefined;
  start(): Promise<RunningSide>;
}

export interface RunningSide {
  run(cases: readonly Case[]): Promise<Outcomes>;
  stop(): Promise<void>;
}

/** The layer as its sources stand, on the crate as it stands; and the runner as it was built last. */
export async function findSides(env: NodeJS.ProcessEnv): Promise<Side[]> {
  return [
    { name: "our layer", missing: await missingCargo(), start: startLayer },
    { name: "the mod runner", missing: missingRunner(env), start: () => startRunnerSide(env) },
  ];
}

async function startLayer(): Promise<RunningSide> {
  const bridge = startNativeBridge(await buildOperationServer());
  const realm = createLayerRealm(await bundleLayer(), bridge);
  return { run: (cases) => runCases(realm, cases), stop: () => bridge.stop() };
}

async function startRunnerSide(env: NodeJS.ProcessEnv): Promise<RunningSide> {
  const runner = await startRunner(runnerPath(env));
  return { run: (cases) => runCasesInRunner(runner, cases), stop: async () => runner.stop() };
}
