import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { readDocument, type StepName, writeDocument } from "./documents.ts";
import type { GateReport } from "./gates/gate.ts";
import type { Manifest } from "./pack/manifest.ts";
import type { ReleasePlan } from "./plan/plan.ts";
import type { PublishReport } from "./publish/publish-report.ts";
import type { BuildRecord } from "./staging/build-record.ts";

const commit = "0123456789".repeat(4);
const integrity = `sha512-${"A".repeat(86)}==`;
const version = "1.0.0";
const plan: ReleasePlan = {
  version: 1,
  commit,
  dirty: false,
  target: "rehearsal",
  packages: [
    {
      name: "a",
      dir: "packages/a",
      from: version,
      to: version,
      reason: "current",
      changesets: [],
      tag: "latest",
      dependsOn: [],
      platforms: [],
      registry: { state: "there", integrity },
    },
  ],
};
const build: BuildRecord = {
  version: 1,
  commit,
  dirty: false,
  stagingDir: import.meta.dirname,
  packages: [{ name: "a", version }],
};
const pack: Manifest = {
  version: 1,
  commit,
  dirty: false,
  packages: [
    {
      name: "a",
      version,
      tag: "latest",
      filename: "a-1.0.0.tgz",
      integrity,
      sha256: "a".repeat(64),
      packedBytes: 1,
      unpackedBytes: 2,
      files: [{ path: "index.js", sizeBytes: 2 }],
      dependsOn: [],
      platforms: [],
    },
  ],
};
const gates: GateReport = {
  version: 1,
  ok: false,
  gates: [
    { name: "size", status: "failed", durationMs: 1, problems: [{ package: "", message: "m", hint: "h" }] },
    { name: "api", status: "passed", durationMs: 0.5, problems: [] },
  ],
  packages: [{ name: "a", version, integrity }],
};
const publish: PublishReport = {
  version: 1,
  target: "rehearsal",
  registryUrl: "http://127.0.0.1:4873",
  packages: [{ name: "a", version, integrity, state: "published" }],
};
const documents = { plan, build, pack, gates, publish };
const fileNames = {
  plan: "plan.json",
  build: "build.json",
  pack: "manifest.json",
  gates: "gates.json",
  publish: "publish.json",
};
const steps = Object.keys(documents) as StepName[];

function readText(step: StepName, text: string): Promise<unknown> {
  return withTempDir("codex-js-documents", async (dir) => {
    writeFileSync(join(dir, fileNames[step]), text);
    return readDocument(dir, step);
  });
}

test.each(steps)("%s is read as it was written", (step) =>
  withTempDir("codex-js-documents", async (dir) => {
    await writeDocument(dir, step, documents[step]);
    expect(await readDocument(dir, step)).toEqual(documents[step]);
  }),
);

/** Every document without each of its fields, at any depth, and with something else in its place. */
function* mutate(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const changed of mutate(item)) yield value.with(index, changed);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const { [key]: _, ...rest } = value as Record<string, unknown>;
      // The one field that is optional.
      if (key !== "hint") yield rest;
      for (const changed of mutate(item)) yield { ...value, [key]: changed };
    }
  }
  for (const wrong of [null, 7.5, {}, [null]]) {
    // A duration may be any number.
    if (!(typeof value === "number" && typeof wrong === "number")) yield wrong;
  }
}

test.each(steps)("%s with a field missing or of another type is refused", async (step) => {
  const mutants = [...mutate(documents[step])];
  expect(mutants.length).toBeGreaterThan(30);
  for (const mutant of mutants) {
    const read = readText(step, JSON.stringify(mutant));
    await expect(read, JSON.stringify(mutant)).rejects.toMatchObject({
      code: "CODEX_JS_RELEASE_STEP_UNREADABLE",
      exitCode: 2,
      hint: expect.stringMatching(new RegExp(`pnpm release ${step}$`)),
    });
  }
});

const withPackage = (change: object) => ({ ...pack, packages: [{ ...pack.packages[0], ...change }] });

test.each<[string, StepName, unknown, string]>([
  ["another format", "plan", { ...plan, version: 2 }, "version: "],
  ["no packages", "pack", { ...pack, packages: [] }, "packages: "],
  ["a package twice", "build", { ...build, packages: [...build.packages, ...build.packages] }, "once"],
  ["a tarball elsewhere", "pack", withPackage({ filename: "../a.tgz" }), "packages[0].filename: "],
  ["no version", "pack", withPackage({ version: "one" }), "packages[0].version: "],
  ["no integrity", "pack", withPackage({ integrity: "sha512-" }), "packages[0].integrity: "],
  ["a relative staging copy", "build", { ...build, stagingDir: "staging" }, "absolute"],
  ["an ok that is not", "gates", { ...gates, ok: true }, "ok does not follow"],
  ["gates of nothing that failed", "gates", { ...gates, gates: [] }, "ok does not follow"],
  [
    "a pass with problems",
    "gates",
    { ...gates, ok: true, gates: [{ ...gates.gates[0], status: "passed" }] },
    "gates[0]",
  ],
])("%s is refused and named", async (_, step, document, said) => {
  await expect(readText(step, JSON.stringify(document))).rejects.toMatchObject({
    code: "CODEX_JS_RELEASE_STEP_UNREADABLE",
    message: expect.stringContaining(said),
  });
});

test.each(["", "{", "null", "[]", '"text"', "{}"])("the text %o is refused", async (text) => {
  for (const step of steps) {
    await expect(readText(step, text)).rejects.toMatchObject({ code: "CODEX_JS_RELEASE_STEP_UNREADABLE" });
  }
});

test("what is not there names the step that has to run", () =>
  withTempDir("codex-js-documents", async (dir) => {
    await expect(readDocument(dir, "gates")).rejects.toMatchObject({
      code: "CODEX_JS_RELEASE_STEP_MISSING",
      hint: expect.stringMatching(/ pnpm release gates$/),
    });
  }));
