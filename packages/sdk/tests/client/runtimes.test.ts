import { join } from "node:path";
import { expect, test } from "vitest";
import { distFile, runProgram, runtimeNames } from "../runtimes/runtimes.ts";
import { createClientFixture } from "./client-fixture.ts";
import type { Task } from "./client-program.ts";

test.each(runtimeNames)("the built client on %s: an approval, a turn, `await using`", async (runtime) => {
  await using fixture = await createClientFixture();
  const task: Task = { sdk: distFile.href, workDir: fixture.workDir };
  const program = join(import.meta.dirname, "client-program.ts");
  const output = await runProgram(runtime, program, JSON.stringify(task), fixture.options.env);
  expect(JSON.parse(output)).toEqual([["approved\n"], "done", "ready"]);
});
