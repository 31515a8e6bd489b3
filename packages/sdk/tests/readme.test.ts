import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createCodexHome, reply, startMockModel } from "@codex-js/testkit/mock-model";
import { expect, test } from "vitest";
import { createTempProject, packageDir } from "./temp-project.ts";

const run = promisify(execFile);
const readme = await readFile(join(packageDir, "README.md"), "utf8");
/** Title and code of every section that has an example. */
const examples = readme.split(/^## /m).flatMap((section) => {
  const code = section.match(/^```ts\n(.*?)^```$/ms)?.[1];
  return code === undefined ? [] : [{ title: section.split("\n", 1)[0]!, code }];
});

const output: Record<string, string> = {
  "Quick start": '{"faults":["none"]}\n1 7\n',
  Events: "",
  "Structured output, images, abort": "[ 'none' ]\n",
  Errors: "",
};

test("README's examples are the ones tested here", () => {
  expect(examples.map(({ title }) => title)).toEqual(Object.keys(output));
});

test.each(examples)(
  "README's example type-checks and runs on the real engine: $title",
  async ({ title, code }) => {
    await using project = await createTempProject({ "@codex-js/sdk": packageDir });
    await using model = await startMockModel({ respond: () => reply.message('{"faults":["none"]}') });
    await using home = await createCodexHome(model);
    await run("git", ["init", "--quiet", project.dir]);
    await project.write("screenshot.png", Buffer.from("not looked at"));
    await project.write("example.ts", code);
    expect(await project.typeCheck({ module: "nodenext", skipLibCheck: false })).toBe("");
    const options = { cwd: project.dir, env: { ...process.env, ...home.env } };
    const { stdout, stderr } = await run(process.execPath, ["example.ts"], options);
    expect({ stdout: stdout.replace(/^\d+ \d+$/m, "1 7"), stderr }).toEqual({
      stdout: output[title],
      stderr: "",
    });
  },
);
