import { accessSync, constants, readFileSync } from "node:fs";
import { join } from "node:path";
import { createProcessContext, findWorkspaceRoot, pickUserEnv, runNode } from "@codex-js/cli-kit";
import { runtimeSpecs } from "@codex-js/smoke";
import { expect, test } from "vitest";
import { defineCi } from "../define-ci.ts";
import { matrices } from "../matrix/matrices.ts";
import runners from "../matrix/runners.json" with { type: "json" };
import { readWorkflows } from "./read-workflows.ts";

const root = findWorkspaceRoot(import.meta.dirname);
const workflows = readWorkflows(root);
const jobs = workflows.flatMap(({ file, jobs }) =>
  Object.entries(jobs).map(([name, job]) => ({ at: `${file} ${name}`, file, name, job })),
);
const steps = jobs.flatMap(({ at, job }) =>
  job.steps.map((step) => ({ at: `${at}: ${step.name ?? "?"}`, step })),
);
const commands = steps.flatMap(({ at, step }) => (step.run === undefined ? [] : [{ at, command: step.run }]));

test("there is something to look at", () => {
  expect(workflows.map(({ file }) => file)).toEqual([
    "ci.yml",
    "nightly.yml",
    "release.yml",
    "v8-prebuilt.yml",
  ]);
  expect([jobs.length, commands.length].every((count) => count > 10)).toBe(true);
});

test("every action is pinned by a commit, with its version beside it, and to one commit everywhere", () => {
  const uses = workflows.flatMap(({ text }) =>
    [...text.matchAll(/^\s*(?:- )?uses: *(.*)$/gm)].map(([, used]) => used!),
  );
  expect(uses.length).toBe(steps.filter(({ step }) => step.uses !== undefined).length);
  expect(uses.filter((used) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used))).toEqual([]);
  const actions = new Set(uses.map((used) => used.split("@")[0]));
  expect(new Set(uses).size).toBe(actions.size);
});

test("no workflow has a permission, and each job only what it needs", () => {
  expect(workflows.filter(({ permissions }) => JSON.stringify(permissions) !== "{}")).toEqual([]);
  expect(jobs.filter(({ job }) => job.permissions?.contents === undefined).map(({ at }) => at)).toEqual([]);
  const writers = jobs.flatMap(({ at, job }) => {
    const writes = Object.entries(job.permissions ?? {}).filter(([, access]) => access !== "read");
    return writes.length === 0 ? [] : [[at, Object.fromEntries(writes)]];
  });
  expect(Object.fromEntries(writers)).toEqual({
    "ci.yml size-comment": { "pull-requests": "write" },
    "nightly.yml history": { contents: "write" },
    "release.yml version": { contents: "write", "pull-requests": "write" },
    "release.yml publish": { contents: "write", "id-token": "write" },
    "release.yml announce": { contents: "write" },
  });
});

test("only what somebody has approved can publish", () => {
  expect(
    jobs
      .filter(({ job }) => job.permissions?.["id-token"] !== undefined)
      .map(({ at, job }) => [at, job.environment]),
  ).toEqual([["release.yml publish", "npm"]]);
});

test("nobody's pull request runs with more than a token that reads", () => {
  expect(workflows.filter(({ on }) => "pull_request_target" in on || "workflow_run" in on)).toEqual([]);
  const checkouts = steps.filter(({ step }) => step.uses?.startsWith("actions/checkout@"));
  expect(checkouts.length).toBeGreaterThan(0);
  expect(checkouts.filter(({ step }) => step.with?.["persist-credentials"] !== false)).toEqual([]);
});

test("every job ends, and no two runs of a workflow get into each other's way", () => {
  expect(jobs.filter(({ job }) => !(Number(job["timeout-minutes"]) > 0)).map(({ at }) => at)).toEqual([]);
  expect(workflows.filter(({ concurrency }) => concurrency?.group === undefined)).toEqual([]);
});

test("a release has no cache: neither GitHub's nor turbo's", () => {
  const { text, jobs: releaseJobs } = workflows.find(({ file }) => file === "release.yml")!;
  expect(text).not.toMatch(/TURBO_|actions\/cache/);
  const cached = Object.values(releaseJobs).flatMap(({ steps }) =>
    steps.filter((step) => step.with?.cache !== undefined),
  );
  expect(cached).toEqual([]);
});

// The shell of Windows would take "$NAME" for a variable of its own, which is empty.
test("every command is for bash, and no expression gets into one", () => {
  expect(workflows.filter(({ defaults }) => defaults?.run?.shell !== "bash")).toEqual([]);
  expect(commands.filter(({ command }) => command.includes("${{"))).toEqual([]);
});

test("a workflow's commands are scripts of the repository, each one line, and all of them are there", async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
  const known = {
    release: await listCommands("tools/release/src/cli.ts"),
    workflow: defineCi(createProcessContext(new AbortController().signal)).commands.map((command) =>
      command.name(),
    ),
  };
  const problems = commands.flatMap(({ at, command }) => {
    const problem = findProblem(command, Object.keys(scripts), known);
    return problem === undefined ? [] : [`${at}: ${problem}: ${command}`];
  });
  expect(problems).toEqual([]);
});

function findProblem(
  command: string,
  scripts: readonly string[],
  known: Record<string, readonly string[]>,
): string | undefined {
  const [bash, file = "", ...args] = command.split(" ");
  if (command.includes("\n") || bash !== "bash" || !/^\.ci\/\w+$/.test(file)) return "no script of .ci";
  try {
    accessSync(join(root, file), constants.X_OK);
  } catch {
    return "no such file, or it is not executable";
  }
  if (file !== ".ci/pnpm") return undefined;
  const [script = "", subcommand = ""] = args.filter((arg) => arg !== "--silent");
  if (script === "install") return undefined;
  if (!scripts.includes(script)) return `package.json has no script ${script}`;
  return known[script]?.includes(subcommand) === false ? `${script} has no command ${subcommand}` : undefined;
}

async function listCommands(cli: string): Promise<string[]> {
  const { stdout } = await runNode(join(root, cli), ["--help"], { cwd: root, env: pickUserEnv(process.env) });
  const listed = stdout.slice(stdout.indexOf("\nCommands:")).split("\n\n", 1)[0]!;
  return [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name!);
}

test("what runs where comes from the one table: of targets, of runtimes, of systems", () => {
  const find = (at: string) => jobs.find((job) => job.at === at)!.job;
  expect(find("ci.yml run").strategy?.matrix.os).toEqual(runners.everywhere);
  expect(find("ci.yml bench").strategy?.matrix.include).toEqual(matrices.bench());
  for (const [at, name, planner] of [
    ["release.yml native", "native", "release.yml plan"],
    ["release.yml smoke", "smoke", "release.yml plan"],
    ["nightly.yml bench", "nightly", "nightly.yml plan"],
  ] as const) {
    expect(find(at).strategy?.matrix.include).toBe(`\${{ fromJSON(needs.plan.outputs.${name}) }}`);
    expect(find(planner).outputs?.[name]).toMatch(
      new RegExp(`^\\$\\{\\{ steps\\.\\w+\\.outputs\\.${name} \\}\\}$`),
    );
    expect(find(planner).steps.map(({ run }) => run)).toContain(`bash .ci/pnpm workflow matrix ${name}`);
  }
  const named = jobs.flatMap(({ job }) => {
    const { include } = job.strategy?.matrix ?? {};
    return Array.isArray(include) ? include.flatMap(({ runtime }) => runtime ?? []) : [];
  });
  expect(named.filter((runtime) => !runtimeSpecs.some(({ id }) => id === runtime))).toEqual([]);
});

test("a release starts on the main branch of this repository only, and what it hands on can be made again", () => {
  const { text, jobs: releaseJobs } = workflows.find(({ file }) => file === "release.yml")!;
  const { repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const name = /github\.com\/(.+)\.git$/.exec(repository.url)?.[1];
  const [first] = Object.values(releaseJobs);
  expect(text).toContain(`if: github.repository == '${name}' && github.ref == 'refs/heads/main'`);
  expect(first?.needs).toBeUndefined();
  expect(Object.values(releaseJobs).filter(({ needs }) => needs === undefined)).toHaveLength(1);
  const uploads = text.split("uses: actions/upload-artifact@").slice(1);
  expect(uploads.map((upload) => /^ +overwrite: true/m.test(upload.split("- name:")[0]!))).toEqual(
    uploads.map(() => true),
  );
});
