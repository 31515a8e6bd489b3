import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { constants, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readHost, targets } from "@codex-js/platforms";
import { describe, expect, test } from "vitest";
import { executables, runtimeNames } from "../runtimes/runtimes.ts";
import { createTempDir } from "../temp-dir.ts";
import { realRunner } from "./real-runner.ts";

const packageDir = join(import.meta.dirname, "../..");

/** A project with the library and this machine's platform package, as a release makes it. */
function install(sha256: string): string {
  const dir = createTempDir();
  const { platform, arch } = readHost();
  const target = targets.find(({ os, cpu }) => os === platform && cpu === arch)!;
  const library = join(dir, "node_modules/@codex-js/mod-runner");
  const program = join(dir, "node_modules/@codex-js", `mod-runner-${target.id}`);
  for (const folder of [library, program]) mkdirSync(folder, { recursive: true });
  cpSync(join(packageDir, "dist"), join(library, "dist"), { recursive: true });
  copyFileSync(join(packageDir, "package.json"), join(library, "package.json"));
  copyFileSync(realRunner!, join(program, "codex-js-mod-runner"), constants.COPYFILE_FICLONE);
  writeFileSync(
    join(program, "package.json"),
    JSON.stringify({ name: `@codex-js/mod-runner-${target.id}`, version: "0.0.0" }),
  );
  const manifest = { version: 1, program: "codex-js-mod-runner", triple: target.triple, sha256 };
  writeFileSync(join(program, "runner.json"), JSON.stringify(manifest));
  writeFileSync(join(dir, "package.json"), '{"type":"module"}');
  writeFileSync(
    join(dir, "main.ts"),
    `
    import { createModHost, findRunner } from "@codex-js/mod-runner";
    await using host = createModHost();
    const files = { "mod.json": '{"name":"any","version":"1.0.0","protocol":"1","hooks":{"main":"main.ts"}}', "main.ts": "export default () => 42;" };
    const mod = await host.load({ files });
    const outcomes = [];
    for (let run = 0; run < 2; run += 1) {
      outcomes.push(await mod.run("main", null).then(({ value }) => value, ({ code, message }) => ({ code, message })));
    }
    console.log(JSON.stringify({ source: findRunner().source, outcomes }));`,
  );
  return dir;
}

describe.skipIf(realRunner === undefined).each(runtimeNames)(
  "an installed platform package, on %s",
  (runtime) => {
    const runMain = (dir: string) =>
      new Promise<unknown>((resolve, reject) => {
        const { CODEX_JS_MOD_RUNNER_PATH: _, ...env } = process.env;
        execFile(
          executables[runtime],
          ["main.ts"],
          { cwd: dir, env, timeout: 50_000 },
          (error, stdout, stderr) =>
            error === null ? resolve(JSON.parse(stdout)) : reject(new Error(stderr)),
        );
      });

    test("is found, verified and run", async () => {
      const sha256 = createHash("sha256").update(readFileSync(realRunner!)).digest("hex");
      expect(await runMain(install(sha256))).toEqual({ source: "package", outcomes: [42, 42] });
    });

    test("whose program is not the one of its manifest is never run", async () => {
      const refused = {
        code: "runner_unavailable",
        message: expect.stringContaining("is not the runner that was granted"),
      };
      expect(await runMain(install("0".repeat(64)))).toEqual({
        source: "package",
        outcomes: [refused, refused],
      });
    });
  },
);
