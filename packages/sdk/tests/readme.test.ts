import { type ChildProcess, execFile, execFileSync } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createCodexHome, reply, startMockModel } from "@codex-js/testkit/mock-model";
import { waitUntilGone } from "@codex-js/testkit/process-state";
import { expect, test } from "vitest";
import { readServerRecord } from "../src/app-server/shared/server-record.ts";
import { openSharedPlace } from "../src/app-server/shared/shared-place.ts";
import { signalProcess } from "../src/process-tree.ts";
import { createTempProject, packageDir } from "./temp-project.ts";

const run = promisify(execFile);
const readme = await readFile(join(packageDir, "README.md"), "utf8");
/** Title and code of every section that has an example. */
const examples = readme.split(/^## /m).flatMap((section) => {
  const [code] = readCode(section);
  return code === undefined ? [] : [{ title: section.split("\n", 1)[0]!, code }];
});

function readCode(markdown: string): string[] {
  return [...markdown.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
}

const output: Record<string, string> = {
  "Quick start": '{"faults":["none"]}\n1 7\n',
  "One engine for all programs": '{"faults":["none"]}\n',
  "Approvals, and everything else": 'completed\n{"faults":["none"]}\n',
  "When the engine crashes": 'SIGKILL true true\n{"faults":["none"]}\n',
  Events: "",
  "Structured output, images, abort": "[ 'none' ]\n",
  Errors: "",
};

const needsPosix = ["One engine for all programs", "When the engine crashes"];

test("README's examples are the ones tested here", () => {
  expect(examples.map(({ title }) => title)).toEqual(Object.keys(output));
});

test("the repository's README shows four of them, as they are", async () => {
  const shown = readCode(await readFile(join(packageDir, "../../README.md"), "utf8"));
  const titles = shown.map((code) => examples.find((example) => example.code === code)?.title);
  expect(titles).toEqual(Object.keys(output).slice(0, 4));
});

const escalation = { sandbox_permissions: "require_escalated", justification: "to commit" };

/** What a crash is like. */
function killChildren(parent: number): void {
  const children = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([pid, ppid]) => ppid === parent && pid !== undefined);
  for (const [pid] of children) process.kill(pid!, "SIGKILL");
}

/** The examples' own CODEX_HOME has a server of its own. */
async function endSharedServer(env: Record<string, string>): Promise<void> {
  const place = await openSharedPlace({ ...process.env, ...env });
  const record = await readServerRecord(place.recordPath);
  if (record !== undefined) {
    signalProcess(record.pid, "SIGTERM");
    await waitUntilGone(record.supervisor);
  }
  await rm(place.dir, { recursive: true, force: true });
}

test.each(examples.filter(({ title }) => process.platform !== "win32" || !needsPosix.includes(title)))(
  "README's example type-checks and runs on the real engine: $title",
  async ({ title, code }) => {
    await using project = await createTempProject({ "@codex-js/sdk": packageDir });
    let program: ChildProcess | undefined;
    await using model = await startMockModel({
      respond: ({ body, userTexts }) => {
        if (userTexts.at(-1) === "Now tidy it up") {
          killChildren(program!.pid!);
          return reply.hang();
        }
        const { input } = body as { input: { type?: string }[] };
        const isAsked =
          userTexts.at(-1) === "Commit what is there" && !input.at(-1)?.type?.endsWith("_output");
        if (isAsked) return reply.functionCall("exec_command", { cmd: "git init", ...escalation });
        return reply.message('{"faults":["none"]}');
      },
    });
    await using home = await createCodexHome(model);
    await run("git", ["init", "--quiet", project.dir]);
    await project.write("screenshot.png", Buffer.from("not looked at"));
    await project.write("example.ts", code);
    expect(await project.typeCheck({ module: "nodenext", skipLibCheck: false })).toBe("");
    const options = { cwd: project.dir, env: { ...process.env, ...home.env } };
    const example = run(process.execPath, ["example.ts"], options);
    program = example.child;
    const { stdout, stderr } = await example.finally(() => endSharedServer(home.env));
    expect({ stdout: stdout.replace(/^\d+ \d+$/m, "1 7"), stderr }).toEqual({
      stdout: output[title],
      stderr: "",
    });
  },
);
