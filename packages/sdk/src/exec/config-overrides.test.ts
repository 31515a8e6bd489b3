import { expect, test } from "vitest";
import { flattenConfig } from "./config-overrides.ts";

test("flattens tables to dotted paths and writes TOML", () => {
  expect(
    flattenConfig({
      text: 'a "quoted"\nline',
      number: -1.5,
      flag: false,
      skipped: undefined,
      list: ["a", 1, [true], { "odd key": "x", plain: {}, skipped: undefined }],
      table: { empty: {}, deep: { er: "x" }, allSkipped: { skipped: undefined } },
    }),
  ).toEqual([
    'text="a \\"quoted\\"\\nline"',
    "number=-1.5",
    "flag=false",
    'list=["a", 1, [true], {"odd key" = "x", plain = {}}]',
    "table.empty={}",
    'table.deep.er="x"',
  ]);
  expect(flattenConfig({})).toEqual([]);
});

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const cyclicList: unknown[] = [];
cyclicList.push(cyclicList);

test.each([
  [null, "Codex config overrides must be a plain object"],
  [["a"], "Codex config overrides must be a plain object"],
  [{ a: null }, "Codex config override at a cannot be null"],
  [{ a: [{ b: Number.NaN }] }, "Codex config override at a[0].b must be a finite number"],
  [{ a: { "": 1 } }, "Codex config override keys must be non-empty strings"],
  [{ a: () => {} }, "Unsupported Codex config override value at a: function"],
  [{ a: new Date() }, "Unsupported Codex config override value at a: object"],
  [new Map([["model", "x"]]), "Codex config overrides must be a plain object"],
  [{ a: [new Map()] }, "Unsupported Codex config override value at a[0]: object"],
  [cyclic, `Codex config override at ${"self.".repeat(8)}… is nested too deeply`],
  [{ a: cyclicList }, `Codex config override at a${"[0]".repeat(13)}… is nested too deeply`],
])("refuses %#", (config, message) => {
  expect(() => flattenConfig(config)).toThrow(
    expect.objectContaining({ code: "CODEX_JS_SDK_CONFIG_INVALID", message }),
  );
});

test("what JSON allows in a string and TOML does not is written so that TOML takes it", () => {
  expect(flattenConfig({ a: "x\u007f\ud800\u2028" })).toEqual(['a="x\\u007f\ufffd\u2028"']);
});
