import { join } from "node:path";
import type { CliContext } from "@codex-js/cli-kit";
import type { Check } from "./checks/check.ts";
import { installPackages, verifyInstalled } from "./install.ts";
import { createProject, type Project, removeFolder } from "./project.ts";
import type { PublishedPackage } from "./published.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import type { RuntimePlan } from "./runtime-plan.ts";
import { provideRuntime, type Runtime } from "./runtime-store.ts";
import type { RuntimeResult, SmokeEvent } from "./types.ts";
import type { WorkspaceTools } from "./workspace-tools.ts";

/** What all runtimes of one run share. */
export interface SmokeSession {
  context: CliContext;
  registryUrl: string;
  cacheDir: string;
  workDir: string;
  workspace: WorkspaceTools;
  packages: readonly PublishedPackage[];
  leftOut: readonly string[];
  checks: readonly Check[];
  /** One install at a time: a second one would fetch what the first is just putting into the cache. */
  takeInstallTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Rejects when the registry serves other bytes than it promises. */
  verifyTarballs: () => Promise<void>;
  onEvent: (event: SmokeEvent) => void;
}

/** Runs every check on one runtime; rejects only when the run was aborted, with the project removed. */
export async function smokeRuntime(plan: RuntimePlan, session: SmokeSession): Promise<RuntimeResult> {
  const { context, workDir } = session;
  const startedAt = performance.now();
  const recorder = createRecorder(plan.id, context.signal, session.onEvent);
  const projectRoot = join(workDir, plan.id);
  let runtime: Runtime | undefined;
  let keep = false;
  try {
    runtime = (await recorder.run("runtime", () => provideRuntime(plan, session)))?.value;
    const project = await install(runtime, projectRoot, session, recorder);
    await runChecks(runtime, project, session, recorder);
    keep = recorder.checks.some(({ status }) => status === "failed");
  } finally {
    if (!keep) await removeFolder(projectRoot);
  }
  return {
    runtime: plan.id,
    runtimeVersion: runtime?.version ?? plan.version,
    packageManager: runtime?.packageManager ?? plan.packageManager,
    ok: !keep,
    durationMs: Math.round(performance.now() - startedAt),
    checks: recorder.checks,
  };
}

async function install(
  runtime: Runtime | undefined,
  projectRoot: string,
  session: SmokeSession,
  recorder: Recorder,
): Promise<Project | undefined> {
  if (runtime === undefined) {
    recorder.skip("install", "the runtime is not there");
    return undefined;
  }
  const work = async () => {
    const project = await createProject(projectRoot, runtime, session.context);
    const options = { ...session, runtime, project };
    await installPackages(options);
    await verifyInstalled(options);
    await session.verifyTarballs();
    return project;
  };
  return (await session.takeInstallTurn(() => recorder.run("install", work)))?.value;
}

async function runChecks(
  runtime: Runtime | undefined,
  project: Project | undefined,
  { checks, packages, workspace, context }: SmokeSession,
  recorder: Recorder,
): Promise<void> {
  for (const check of checks) {
    const missing = findMissing(check, packages);
    if (runtime === undefined || project === undefined) recorder.skip(check.name, "nothing is installed");
    else if (missing !== undefined) recorder.skip(check.name, `${missing} is not among the packages`);
    else
      await recorder.run(check.name, () =>
        check.run({ runtime, project, workspace, signal: context.signal }),
      );
  }
}

function findMissing({ needs }: Check, packages: readonly PublishedPackage[]): string | undefined {
  return needs.find((need) => !packages.some(({ name }) => name === need || name === `${need}-musl`));
}
