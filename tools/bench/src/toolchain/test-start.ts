import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createChildEnv } from "../child-env.ts";
import { findBun } from "../runtimes.ts";
import { findToolDir, findToolFile } from "./find-tool.ts";
import type { TaskPlace, ToolPart, ToolTask } from "./types.ts";

/** One test file with one assertion: everything that is timed is the runner's own start and end. */
export const testStart: ToolPart = {
  name: "test start-up",
  plan: async ({ context, dir }: TaskPlace): Promise<ToolTask[]> => {
    const env = createChildEnv(context.env);
    const projects = {
      vitest: await createProject(join(dir, "vitest"), "vitest"),
      bun: await createProject(join(dir, "bun"), "bun:test"),
      node: await createProject(join(dir, "node"), "node:test"),
    };
    // vitest has to find itself from the test; it needs no other package there.
    await mkdir(join(projects.vitest, "node_modules"));
    await symlink(
      await realpath(findToolDir("vitest")),
      join(projects.vitest, "node_modules", "vitest"),
      "junction",
    );
    const vitest = findToolFile("vitest", "vitest.mjs");
    return [
      {
        metric: "testStartMs",
        label: "test start-up, one tiny test",
        sides: [
          {
            name: "vitest on node",
            step: { file: process.execPath, args: [vitest, "run"], cwd: projects.vitest, env },
          },
          { name: "bun test", step: { file: findBun(), args: ["test"], cwd: projects.bun, env } },
          {
            name: "node --test",
            step: { file: process.execPath, args: ["--test"], cwd: projects.node, env },
          },
        ],
        comparisons: [
          { side: "bun test", baseline: "vitest on node" },
          { side: "bun test", baseline: "node --test" },
        ],
      },
    ];
  },
};

async function createProject(dir: string, runner: "vitest" | "bun:test" | "node:test"): Promise<string> {
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await writeFile(join(dir, "sum.test.js"), runner === "node:test" ? nodeTest : expectTest(runner));
  return dir;
}

const expectTest = (runner: string) => `import { expect, test } from "${runner}";
test("sum", () => {
  expect(1 + 1).toBe(2);
});
`;

const nodeTest = `import assert from "node:assert/strict";
import { test } from "node:test";
test("sum", () => {
  assert.equal(1 + 1, 2);
});
`;
