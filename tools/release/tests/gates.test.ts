import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { listPublicPackages, packPackage } from "@codex-js/pack";
import { expect, test } from "vitest";
import { checkTypes } from "../src/gates/attw.ts";
import { checkPublint } from "../src/gates/publint.ts";
import { checkPublishConfig } from "../src/gates/publish-config.ts";
import { buildFixture, writeFixtureWorkspace, writeJson } from "./fixture-workspace.ts";
import { createTestContext } from "./test-context.ts";

/** What the gates of a tarball find in core when its manifest and files are changed like this. */
async function findProblems(
  change: object,
  files: Record<string, string> = {},
): Promise<Record<string, string[]>> {
  return withTempDir("codex-js-gates", async (dir) => {
    await writeFixtureWorkspace(dir);
    buildFixture(dir);
    const coreDir = join(dir, "packages", "core");
    for (const [path, text] of Object.entries(files)) writeFileSync(join(coreDir, path), text);
    const manifestFile = join(coreDir, "package.json");
    writeJson(manifestFile, { ...JSON.parse(readFileSync(manifestFile, "utf8")), ...change });
    const core = (await listPublicPackages(dir)).find(({ name }) => name === "@fixture/core")!;
    const options = { root: dir, outDir: join(dir, "out"), context: createTestContext() };
    const { name, file, manifest } = await packPackage(core, options);
    const found = {
      attw: await checkTypes(name, file),
      publint: await checkPublint(name, file),
      publishConfig: checkPublishConfig(name, manifest),
    };
    return Object.fromEntries(
      Object.entries(found)
        .filter(([, problems]) => problems.length > 0)
        .map(([gate, problems]) => [gate, problems.map(({ message }) => message)]),
    );
  });
}

test("an ESM-only package with its types passes", async () => {
  expect(await findProblems({})).toEqual({});
});

test("a package that is only a command passes, and needs its shebang", async () => {
  const command = { exports: undefined, bin: { thing: "dist/index.js" }, files: ["dist/index.js"] };
  const script = { "dist/index.js": "#!/usr/bin/env node\nconsole.log(1);\n" };
  expect(await findProblems(command, script)).toEqual({});
  expect(await findProblems(command)).toEqual({ publint: [expect.stringContaining("shebang")] });
});

test("types of the other module system are found", async () => {
  const exports = { ".": { types: "./dist/index.d.cts", import: "./dist/index.js" } };
  const found = await findProblems(
    { exports },
    { "dist/index.d.cts": "export declare const name: string;\n" },
  );
  expect(found.attw).toEqual(["FalseCJS in /node_modules/@fixture/core/dist/index.d.cts"]);
});

test("types that import what is not there are found", async () => {
  const types = 'export type { Thing } from "./gone.js";\n';
  const found = await findProblems({}, { "dist/index.d.ts": types });
  expect(found.attw).toEqual([
    "InternalResolutionError: /node_modules/@fixture/core/dist/index.d.ts imports ./gone.js",
  ]);
});

test("conditions that nobody can reach are found", async () => {
  const exports = { ".": { import: "./dist/index.js", types: "./dist/index.d.ts" } };
  expect((await findProblems({ exports })).publint).toEqual([expect.stringContaining("should be the first")]);
});

test("a package that names its own registry is found: a rehearsal would publish there", async () => {
  const publishConfig = { access: "public", registry: "https://registry.example/", "@fixture:registry": "x" };
  expect((await findProblems({ publishConfig })).publishConfig).toEqual([
    'publishConfig > registry is "https://registry.example/": the release decides where it publishes',
    'publishConfig > @fixture:registry is "x": the release decides where it publishes',
  ]);
});
