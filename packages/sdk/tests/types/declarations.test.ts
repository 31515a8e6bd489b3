import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTempProject, packageDir } from "../temp-project.ts";

const distFile = join(packageDir, "dist", "index.d.ts");
const officialDir = join(packageDir, "node_modules/@openai/codex-sdk");
const packages = { "@codex-js/sdk": packageDir, "@openai/codex-sdk": officialDir };

/** The names in the export lists of a rolled declaration file. */
async function readExports(file: string): Promise<string[]> {
  const lists = (await readFile(file, "utf8")).matchAll(/\bexport ?(?:type ?)?\{([^}]*)\}/gm);
  return [...lists].flatMap(([, list]) => list!.split(",").map((name) => name.replace("type ", "").trim()));
}

async function readTypeCheck(sdk: string): Promise<string> {
  const source = await readFile(join(import.meta.dirname, "official-types.ts"), "utf8");
  return source.replace("../../src/index.ts", sdk);
}

test("every name that the official SDK exports is exported here", async () => {
  const ours = await readExports(distFile);
  const theirs = await readExports(join(officialDir, "dist/index.d.ts"));
  expect(theirs.length).toBeGreaterThan(30);
  expect(theirs.filter((name) => !ours.includes(name))).toEqual([]);
});

test.each([
  { module: "nodenext", moduleResolution: "nodenext" },
  { module: "esnext", moduleResolution: "bundler" },
])("with $moduleResolution, the built declarations have the official types", async (options) => {
  await using project = await createTempProject(packages);
  await project.write("check.ts", await readTypeCheck("@codex-js/sdk"));
  // The official declarations import a package that their package does not depend on.
  expect(await project.typeCheck({ ...options, skipLibCheck: true })).toBe("");
});

test("a difference would be seen", async () => {
  await using project = await createTempProject(packages);
  await project.write("check.ts", await readTypeCheck("./changed.js"));
  await project.write(
    "changed.d.ts",
    (await readFile(distFile, "utf8")).replace('"on-failure"', '"on-fail"'),
  );
  expect(await project.typeCheck({ module: "nodenext", skipLibCheck: true })).toContain("TS2344");
});

test.each([{}, { exactOptionalPropertyTypes: true }])(
  "the built declarations need no other package's, not even Node's: %j",
  async (options) => {
    await using project = await createTempProject({ "@codex-js/sdk": packageDir });
    await project.write(
      "check.ts",
      'import { Codex } from "@codex-js/sdk";\nexport const codex = new Codex();\n',
    );
    expect(await project.typeCheck({ module: "nodenext", skipLibCheck: false, ...options })).toBe("");
  },
);

test("the types of any method, notification and question can be named", async () => {
  await using project = await createTempProject({ "@codex-js/sdk": packageDir });
  await project.write(
    "check.ts",
    `import type { MethodParams, MethodResult, NotificationOf, ServerRequestParams } from "@codex-js/sdk";
const params: MethodParams<"thread/start"> = { cwd: "/", approvalPolicy: "never" };
export const readId = (result: MethodResult<"thread/start">): string => result.thread.id;
export const readDelta = ({ params }: NotificationOf<"item/agentMessage/delta">): string => params.delta;
export const readWish = (asked: ServerRequestParams<"item/permissions/requestApproval">) => asked.permissions;
// @ts-expect-error there is no such policy
export const wrong: MethodParams<"thread/start"> = { ...params, approvalPolicy: "nevr" };
`,
  );
  expect(await project.typeCheck({ module: "nodenext", skipLibCheck: false })).toBe("");
});

test("doc comments are kept, and nothing internal is left", async () => {
  const text = await readFile(distFile, "utf8");
  expect(text).toContain("/** The thread's id; null until a new thread's first turn has started. */get id()");
  expect(text).not.toMatch(/@internal|Transport|TurnRequest|AppServerClient|^import /m);
});
