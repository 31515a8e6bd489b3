import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { initMod } from "../src/authoring/init-mod.ts";
import { createTempDir } from "./temp-dir.ts";

const run = promisify(execFile);
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");

test("a new mod type-checks with its own tsconfig.json: the realm's globals are there, and no others", async () => {
  const dir = createTempDir();
  mkdirSync(join(dir, "node_modules/@codex-js"), { recursive: true });
  symlinkSync(join(import.meta.dirname, ".."), join(dir, "node_modules/@codex-js/mod-runner"));
  await initMod(join(dir, "mod"), false);
  const check = () =>
    run(process.execPath, [tsc, "-p", "mod"], { cwd: dir }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  appendFileSync(join(dir, "mod/main.ts"), "console.log(1);\n");
  expect(await check()).toBe("");
  appendFileSync(
    join(dir, "mod/main.ts"),
    "setTimeout(() => {}, 1);\nfetch('');\nprocess.exit();\nrequire('fs');\n",
  );
  const names = [...(await check()).matchAll(/Cannot find name '(\w+)'/g)].map(([, name]) => name);
  expect(names).toEqual(["setTimeout", "fetch", "process", "require"]);
});
