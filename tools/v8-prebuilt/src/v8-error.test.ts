import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { isV8Unavailable, v8Error } from "./v8-error.ts";

const pattern = /CODEX_JS_V8_[A-Z0-9_]+/g;
const read = (...path: string[]) => readFileSync(join(import.meta.dirname, ...path), "utf8");

test("the README has every code and every variable, and no code that is none", () => {
  const inCode = new Set(read("v8-error.ts").match(pattern));
  const variables = ["CODEX_JS_V8_LOCK", "CODEX_JS_V8_MIRROR"];
  const inReadme = new Set(read("..", "README.md").match(pattern));
  expect([...inReadme].sort()).toEqual([...new Set([...inCode, ...variables])].sort());
});

test("tells that V8 is not to be had from faults that are to be mended", () => {
  const other = new ToolError({ code: "CODEX_JS_OTHER", message: "", exitCode: exitCodes.external });
  const errors = [
    v8Error("CODEX_JS_V8_NO_NETWORK", ""),
    v8Error("CODEX_JS_V8_DIGEST", ""),
    v8Error("CODEX_JS_V8_LOCK", ""),
    other,
    new Error("a bug"),
  ];
  expect(errors.map(isV8Unavailable)).toEqual([true, false, false, false, false]);
});
