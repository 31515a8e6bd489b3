import { cp } from "node:fs/promises";
import { join } from "node:path";
import { findWorkspaceRoot } from "@codex-js/cli-kit";
import { createMismatch, expectEqual } from "../expect.ts";
import { type Check, type CheckContext, modRunnerPackage, modRunnerPlatform } from "./check.ts";

const input = { model: "gpt-5", folder: "/work", usedTokens: 5000, maxTokens: 20_000 };
const branch = "main";
const changes = { added: 3, deleted: 1 };
const text = "◆ gpt-5 · /work · ⎇ main · +3 −1 · ▤ 5.0k of 20.0k (25 %)";

/**
 * An example mod in the native program of the installed platform package: by a program that uses the library, and
 * by the command for authors.
 */
export const modRunnerCheck: Check = {
  name: "mod runner",
  needs: [modRunnerPackage, modRunnerPlatform()],
  run: async (context) => {
    const modDir = await copyExample(context);
    await runLibrary(context, modDir);
    await runCommand(context, modDir);
  },
};

/** Authors have their mods in their own folders. */
async function copyExample({ project }: CheckContext): Promise<string> {
  const dir = await project.createFolder("status-line");
  await cp(join(findWorkspaceRoot(import.meta.dirname), "examples", "mods", "status-line"), dir, {
    recursive: true,
  });
  return dir;
}

async function runLibrary({ project }: CheckContext, modDir: string): Promise<void> {
  const program = await project.copyFixture("mod-runner.js");
  const { stdout } = await project.runRuntime([program, modDir, JSON.stringify(input)]);
  const { value, platformPackage, ...rest } = parseOutput<{
    source: string;
    platformPackage?: string;
    value: { text?: string };
    hostRequests: number;
  }>(stdout);
  expectEqual("the mod's line", value.text, text);
  expectEqual("where the runner came from", rest, { source: "package", hostRequests: 2 });
  if (platformPackage?.startsWith(modRunnerPlatform()) !== true) {
    throw createMismatch(`the runner came from ${platformPackage}, expected ${modRunnerPlatform()}`);
  }
}

async function runCommand({ project }: CheckContext, modDir: string): Promise<void> {
  const { name, bin } = await project.readManifest(modRunnerPackage);
  const path = bin?.["codex-js-mod"];
  if (path === undefined) throw createMismatch(`${name} has no bin named codex-js-mod`);
  const command = join(project.dir, "node_modules", modRunnerPackage, path);
  const replies = [`git.branch=${JSON.stringify(branch)}`, `git.changes=${JSON.stringify(changes)}`];
  const { stdout } = await project.runRuntime([
    command,
    "run",
    modDir,
    "--input",
    JSON.stringify(input),
    ...replies.flatMap((reply) => ["--reply", reply]),
    "--json",
  ]);
  const { value } = parseOutput<{ value: { text?: string } }>(stdout);
  expectEqual("the line of codex-js-mod run", value.text, text);
}

function parseOutput<Output>(stdout: string): Output {
  try {
    return JSON.parse(stdout);
  } catch (cause) {
    throw createMismatch(`the program printed no JSON: ${stdout.slice(-500)}`, cause);
  }
}
