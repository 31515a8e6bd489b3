import { chmod, readFile, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import type { SizeReport } from "../src/index.ts";
import { budgets, runSize, withWorkspace, writeTree } from "./fixture-workspace.ts";

const published = {
  "dist-tags": { latest: "0.9.0" },
  versions: {
    "0.9.0": { dist: { tarball: "http://HOST/sdk.tgz", unpackedSize: 100, fileCount: 5 } },
  },
};
const budgetsFile = (root: string) => join(root, "tools/size-gate/budgets.json");

test("within budget: a table, a verdict, exit code 0", () =>
  withWorkspace(async (root) => {
    const { exitCode, out, err } = await runSize(root, ["--no-build"]);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(out).toMatch(
      /^@fixture\/sdk +1\.0\.0 +[\d.]+ k?B +20\.0 kB +4\.\d kB +75\.0 kB +5 +first release$/m,
    );
    expect(out).toMatch(/^import \{ Codex \} from "@fixture\/sdk" +\d+ B +200 B$/m);
    expect(out).toMatch(/\n✓ sizes are within budget: 4 passed, 0 failed, 0 skipped\n$/);
  }));

test("--json has every figure, and the bundle is tree-shaken with the engine left outside", () =>
  withWorkspace(async (root) => {
    const { exitCode, out } = await runSize(root, ["--no-build", "--json"], published);
    const report = JSON.parse(out) as SizeReport;
    const [sdk] = report.packages;
    expect(exitCode).toBe(1);
    expect(report).toEqual({
      version: 1,
      verdict: "failed",
      checks: { passed: 3, failed: 1, skipped: 0 },
      packages: [
        {
          name: "@fixture/sdk",
          version: "1.0.0",
          packedBytes: expect.any(Number),
          unpackedBytes: sdk?.files.reduce((sum, file) => sum + file.sizeBytes, 0),
          files: ["LICENSE", "README.md", "dist/index.d.ts", "dist/index.js", "package.json"].map((path) => ({
            path,
            sizeBytes: expect.any(Number),
          })),
          budget: budgets.packages["@fixture/sdk"],
          lastRelease: {
            status: "published",
            version: "0.9.0",
            packedBytes: 700,
            unpackedBytes: 100,
            fileCount: 5,
          },
          problems: expect.arrayContaining([
            expect.objectContaining({
              code: "CODEX_JS_SIZE_GROWTH",
              message: expect.stringMatching(/^unpacked: /),
            }),
          ]),
        },
      ],
      bundles: [{ ...budgets.bundles[0], measuredBytes: expect.any(Number), problems: [] }],
      leftOut: [],
      problems: [],
    });
    expect(report.bundles[0]?.measuredBytes).toBeLessThan(200);
  }));

// The raw protocol is about 800 small files: they must never come back into the tarball.
test("fails when raw generated declarations get into dist", () =>
  withWorkspace(async (root) => {
    const declaration = `/** A message of the protocol. */\nexport type Message = ${JSON.stringify("m".repeat(580))};\n`;
    const raw = Array.from({ length: 800 }, (_, index) => `packages/sdk/dist/v2/Message${index}.d.ts`);
    await writeTree(root, Object.fromEntries(raw.map((path) => [path, declaration])));

    const json = await runSize(root, ["--no-build", "--json"]);
    const { packages } = JSON.parse(json.out) as SizeReport;
    const codes = Object.groupBy(packages[0]?.problems ?? [], ({ code }) => code);
    expect({
      exitCode: json.exitCode,
      unknownFiles: codes.CODEX_JS_SIZE_UNKNOWN_FILE?.length,
      overBudget: codes.CODEX_JS_SIZE_OVER_BUDGET?.map(({ message }) => message),
    }).toEqual({
      exitCode: 1,
      unknownFiles: 800,
      overBudget: [expect.stringMatching(/^unpacked: 5\d\d,\d{3} B, .* over its budget of 75,000 B$/)],
    });

    const human = await runSize(root, ["--no-build"]);
    expect(human.out).toContain("… and 795 more like these");
    expect(human.out).toMatch(/\n✗ sizes are not within budget: 3 passed, 1 failed, 0 skipped\n$/);
    expect(human.err).toContain("CODEX_JS_SIZE_GATE");
  }));

test("a registry that cannot be asked counts as skipped, and the report says why", () =>
  withWorkspace(async (root) => {
    const { exitCode, out } = await runSize(root, ["--no-build", "--registry", "http://127.0.0.1:1/"]);
    expect(exitCode).toBe(0);
    expect(out).toContain("3 passed, 0 failed, 1 skipped");
    expect(out).toMatch(
      /skipped: @fixture\/sdk against its last release: http:\/\/127\.0\.0\.1:1\/.*could not be reached/,
    );
  }));

test("without --registry it asks the one that npm is configured with", () =>
  withWorkspace(async (root) => {
    await writeTree(root, { ".npmrc": "registry=http://127.0.0.1:1/from-npmrc/\n" });
    const { out } = await runSize(root, ["--no-build"], "npmrc");
    expect(out).toContain("unknown (http://127.0.0.1:1/from-npmrc/@fixture%2fsdk could not be reached");
  }));

test("in GitHub Actions the job's summary gets a Markdown table", () =>
  withWorkspace(async (root) => {
    const summary = join(root, "summary.md");
    await runSize(root, ["--no-build"], undefined, { GITHUB_STEP_SUMMARY: summary });
    const text = await readFile(summary, "utf8");
    expect(text).toMatch(/^### ✅ Package sizes\n\n\| package \| version \|.*\n\| --- \| --- \| --: \|/);
    expect(text).toMatch(/\| @fixture\/sdk \| 1\.0\.0 \|.*\| first release \|/);
  }));

test("an export that is gone fails the bundle", () =>
  withWorkspace(async (root) => {
    await writeTree(root, { "packages/sdk/dist/index.js": "export const Other = 1;\n" });
    const { exitCode, out } = await runSize(root, ["--no-build"]);
    expect(exitCode).toBe(1);
    expect(out).toMatch(/cannot be bundled: .*\(CODEX_JS_SIZE_BUNDLE_FAILED\)/s);
  }));

test("--update takes new files in, and the next run passes", () =>
  withWorkspace(async (root) => {
    await writeTree(root, { "packages/sdk/dist/extra.js": "1;\n" });
    const updated = await runSize(root, ["--no-build", "--update"]);
    expect({ exitCode: updated.exitCode, err: updated.err }).toEqual({
      exitCode: 0,
      err: "@fixture/sdk: dist/extra.js new → 100 B\n",
    });
    const { packages } = JSON.parse(await readFile(budgetsFile(root), "utf8"));
    expect(packages["@fixture/sdk"].files["dist/extra.js"]).toBe(100);
    expect((await runSize(root, ["--no-build"])).exitCode).toBe(0);
  }));

test("a budget for a package that is gone fails", () =>
  withWorkspace(async (root) => {
    const packages = { ...budgets.packages, "@fixture/gone": budgets.packages["@fixture/sdk"] };
    await writeTree(root, { "tools/size-gate/budgets.json": JSON.stringify({ ...budgets, packages }) });
    const { exitCode, out } = await runSize(root, ["--no-build"]);
    expect(exitCode).toBe(1);
    expect(out).toContain("@fixture/gone: budgets.json names it, but it is no public package");
  }));

test("what is wrong with the command line, budgets.json or the build has exit code 2", () =>
  withWorkspace(async (root) => {
    expect(await runSize(root, ["--jsno"])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("--json"),
    });
    for (const url of ["npmjs", "", "localhost:4873", "http:npmjs", "file:///registry"]) {
      expect(await runSize(root, ["--registry", url])).toMatchObject({
        exitCode: 2,
        err: expect.stringContaining("CODEX_JS_SIZE_REGISTRY_URL"),
      });
    }
    await rm(join(root, "packages/sdk/dist"), { recursive: true });
    expect(await runSize(root, ["--no-build"])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("fix: run pnpm build"),
    });
    await writeTree(root, { "tools/size-gate/budgets.json": "{}" });
    expect(await runSize(root, ["--no-build"])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("growthPercent is missing"),
    });
  }));

// A turbo in front of the real one: what is tested is that it is asked for the right packages first.
test.skipIf(process.platform === "win32")("builds first, with turbo's output on stderr", () =>
  withWorkspace(async (root) => {
    const bin = join(root, "bin");
    await writeTree(bin, { turbo: '#!/bin/sh\necho "turbo $*"\n' });
    await chmod(join(bin, "turbo"), 0o755);
    const env = { PATH: `${bin}${delimiter}${process.env.PATH}` };
    const { exitCode, out, err } = await runSize(root, ["--json"], undefined, env);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "turbo run build --filter=@fixture/sdk\n" });
    expect(JSON.parse(out)).toMatchObject({ verdict: "passed" });
  }),
);
