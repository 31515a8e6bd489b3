import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { createCodexHome, startMockModel } from "@codex-js/testkit/mock-model";
import { createMismatch, expectEqual } from "../expect.ts";
import type { InstalledManifest } from "../project.ts";
import { type Check, type CheckContext, launcherPackage } from "./check.ts";

const enginePackage = "@openai/codex";
/** What the engine's command line parser exits with when it does not know a flag. */
const usageExitCode = 2;

/** The `codex` command: a turn, its version, a failure's exit code, and the same by the linked name. */
export const launcherTurnCheck: Check = {
  name: "launcher turn",
  needs: [launcherPackage],
  run: async (context) => {
    const manifest = await context.project.readManifest(launcherPackage);
    const codex = join(context.project.dir, "node_modules", launcherPackage, findBin(manifest));
    const version = `codex-cli ${findEngineVersion(manifest)}`;

    const direct = await context.project.runRuntime([codex, "--version"]);
    expectEqual("codex --version", direct.stdout.trim(), version);
    await verifyLink(context, codex);
    const linked = await runLinked(context, "--version");
    expectEqual("codex --version by its linked name", linked.trim(), version);

    const failing = await context.project.runRuntime([codex, "--no-such-flag"], { okExitCodes: "any" });
    expectEqual(
      "the exit code for an unknown flag",
      [failing.exitCode, failing.signal],
      [usageExitCode, null],
    );

    await runTurn(context, codex);
  },
};

async function runTurn({ runtime, project, signal }: CheckContext, codex: string): Promise<void> {
  await using model = await startMockModel({ signal });
  await using home = await createCodexHome(model, { dir: await project.createFolder("launcher-codex-home") });
  const cwd = await project.createFolder("launcher-cwd");
  const prompt = `What does ${runtime.id} launch?`;
  const args = [codex, "exec", "--json", "--skip-git-repo-check", prompt];
  const { stdout } = await project.runRuntime(args, { cwd, env: home.env });
  expectEqual("the launched engine's answer", readAnswer(stdout), `mock: ${prompt}`);
}

/** The engine's own package has a bin of the same name: the link must not lead there. */
async function verifyLink({ project }: CheckContext, codex: string): Promise<void> {
  // Windows has a script in the place of the link.
  if (process.platform === "win32") return;
  const link = join(project.dir, "node_modules", ".bin", "codex");
  expectEqual("where node_modules/.bin/codex leads", await realpath(link), await realpath(codex));
}

/** What a user types: the name in node_modules/.bin, run by the runtime under test. */
async function runLinked({ runtime, project }: CheckContext, ...args: string[]): Promise<string> {
  // Without --bun a machine that has Node would run the link's `#!/usr/bin/env node` by it.
  if (runtime.kind === "bun") return (await project.runRuntime(["run", "--bun", "codex", ...args])).stdout;
  const link = join(
    project.dir,
    "node_modules",
    ".bin",
    process.platform === "win32" ? "codex.cmd" : "codex",
  );
  return (await project.run(link, args)).stdout;
}

/** The text of the last agent message in the engine's JSON lines. */
function readAnswer(jsonLines: string): string | undefined {
  const events = jsonLines.trim().split("\n").map(parseEvent);
  return events.findLast(({ item }) => item?.type === "agent_message")?.item?.text;
}

function parseEvent(line: string): { item?: { type?: string; text?: string } } {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw createMismatch(`the engine printed a line that is no JSON: ${line}`, cause);
  }
}

function findBin({ name, bin }: InstalledManifest): string {
  const path = bin?.codex;
  if (path === undefined) throw createMismatch(`${name} has no bin named codex`);
  return path;
}

function findEngineVersion({ name, dependencies }: InstalledManifest): string {
  const version = dependencies?.[enginePackage];
  if (version === undefined || !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) {
    throw createMismatch(`${name} depends on ${enginePackage} ${version}, expected one exact version`);
  }
  return version;
}
