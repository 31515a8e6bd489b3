import { expect, test } from "vitest";
import { runtimeSpecs, selectRuntimes } from "./runtimes.ts";

test("the matrix has every runtime that is supported, and exact versions", () => {
  expect(runtimeSpecs.map(({ id, kind }) => [id, kind])).toEqual([
    ["node20", "node"],
    ["node22", "node"],
    ["node24", "node"],
    ["node26", "node"],
    ["bun", "bun"],
  ]);
  const versions = runtimeSpecs.flatMap((spec) =>
    spec.kind === "bun"
      ? [spec.version]
      : [spec.version, spec.npm, ...Object.values(spec.platformVersions ?? {})],
  );
  expect(versions.filter((version) => !/^(workspace|\d+\.\d+\.\d+)$/.test(version))).toEqual([]);
});

test("a platform's own version is of the same major", () => {
  for (const spec of runtimeSpecs) {
    if (spec.kind === "bun" || spec.platformVersions === undefined) continue;
    const majors = [spec.version, ...Object.values(spec.platformVersions)].map((text) => text.split(".")[0]);
    expect([spec.id, new Set(majors).size]).toEqual([spec.id, 1]);
  }
});

test("selects by id, in the table's order", () => {
  expect(selectRuntimes(["bun", "node22"]).map(({ id }) => id)).toEqual(["node22", "bun"]);
  expect(selectRuntimes()).toBe(runtimeSpecs);
});

test("an unknown runtime is a usage error that names the known ones", () => {
  expect(() => selectRuntimes(["node24", "deno"])).toThrow(
    expect.objectContaining({
      code: "CODEX_JS_SMOKE_UNKNOWN_RUNTIME",
      exitCode: 2,
      message: "no runtime deno in the matrix",
      hint: "use node20, node22, node24, node26, bun",
    }),
  );
});
