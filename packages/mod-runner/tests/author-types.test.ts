import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import ts from "@typescript/typescript6";
import { expect, test } from "vitest";
import { compilerOptions } from "../src/authoring/compiler-options.ts";
import { initMod } from "../src/authoring/init-mod.ts";
import { createTempDir } from "./temp-dir.ts";

const run = promisify(execFile);
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
const cryptoMod = join(import.meta.dirname, "crypto-mod");

/** What the compiler says; nothing is wrong where that is nothing. */
const compile = (args: readonly string[], cwd: string) =>
  run(process.execPath, [tsc, ...args], { cwd }).then(
    ({ stdout }) => stdout,
    ({ stdout, message }: { stdout: string; message: string }) => stdout || message,
  );

test("a new mod type-checks with its own tsconfig.json: the realm's globals are there, and no others", async () => {
  const dir = createTempDir();
  mkdirSync(join(dir, "node_modules/@codex-js"), { recursive: true });
  symlinkSync(join(import.meta.dirname, ".."), join(dir, "node_modules/@codex-js/mod-runner"));
  await initMod(join(dir, "mod"), false);
  const check = () => compile(["-p", "mod"], dir);
  appendFileSync(
    join(dir, "mod/main.ts"),
    "console.log(Temporal.Now.plainDateISO(), new Set([1]).union(new Set([2])), new Uint8Array(1).toBase64());\n",
  );
  expect(await check()).toBe("");
  appendFileSync(
    join(dir, "mod/main.ts"),
    "setTimeout(() => {}, 1);\nfetch('');\nprocess.exit();\nrequire('fs');\n",
  );
  const names = [...(await check()).matchAll(/Cannot find name '(\w+)'/g)].map(([, name]) => name);
  expect(names).toEqual(["setTimeout", "fetch", "process", "require"]);
});

test("crypto code for every algorithm compiles with a realm's types, and with a browser's", async () => {
  expect(await compile(["-p", cryptoMod], cryptoMod)).toBe("");
  const { lib, ...options } = compilerOptions;
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const browser = [...args, "--lib", [...lib, "dom"].join(), "--types", "", "--ignoreConfig", "main.ts"];
  expect(await compile(browser, cryptoMod)).toBe("");
});

test("the example mods are checked in editors as codex-js-mod check does", () => {
  const file = join(import.meta.dirname, "../../../examples/mods/tsconfig.json");
  const { config } = ts.parseConfigFileTextToJson(file, readFileSync(file, "utf8"));
  expect(config.compilerOptions).toMatchObject(compilerOptions);
});
