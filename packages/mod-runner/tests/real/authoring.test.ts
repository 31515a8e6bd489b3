import { execFile, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { executables, runtimeNames } from "../runtimes/runtimes.ts";
import { createTempDir } from "../temp-dir.ts";
import { examplesDir, realRunner } from "./real-runner.ts";

const bin = join(import.meta.dirname, "../../dist/codex-js-mod.js");
const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));

interface Result {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** An author's folder with TypeScript installed, and mods as they are in examples/mods. */
function createProject(...examples: string[]): string {
  const dir = createTempDir();
  mkdirSync(join(dir, "node_modules"));
  symlinkSync(typescript, join(dir, "node_modules/typescript"));
  for (const name of examples) cpSync(join(examplesDir, name), join(dir, name), { recursive: true });
  return dir;
}

describe.skipIf(realRunner === undefined).each(runtimeNames)("codex-js-mod, on %s", (runtime) => {
  const call = (cwd: string, args: string[], input?: string) =>
    new Promise<Result>((resolve) => {
      const env = { ...process.env, CODEX_JS_MOD_RUNNER_PATH: realRunner };
      const child = execFile(
        executables[runtime],
        [bin, ...args],
        { cwd, env, timeout: 50_000 },
        (error, stdout, stderr) =>
          resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
      child.stdin!.end(input);
    });

  test("what init writes passes check and runs", async () => {
    const dir = createProject();
    expect(await call(dir, ["init", "my-mod"])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(
        /npm install --save-dev @codex-js\/mod-runner typescript@7\n {2}npx codex-js-mod check "my-mod"\n {2}npx codex-js-mod run/,
      ),
      stderr: "",
    });
    const checked = await call(dir, ["check", "my-mod", "--json"]);
    expect(JSON.parse(checked.stdout)).toMatchObject({
      version: 1,
      mod: "my-mod 0.1.0",
      hooks: ["greet"],
      problems: [],
    });
    const ran = await call(dir, ["run", "my-mod", "--input", '{"name":"you"}']);
    expect(ran).toEqual({
      exitCode: 0,
      stdout: '{\n  "text": "Hello, you!"\n}\n',
      stderr: expect.stringMatching(
        /^my-mod 0\.1\.0, hook greet: [\d.]+ ms \([\d.]+ ms of processor\), runner ready in [\d.]+ ms; heap [\d.]+ MB, .*1 host operation\n$/,
      ),
    });
    expect(await call(dir, ["init", "my-mod"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("is not empty"),
    });
  });

  test("init says what cannot be a mod's folder, and comes to an end", async () => {
    const dir = createTempDir();
    writeFileSync(join(dir, "file"), "");
    symlinkSync("nowhere", join(dir, "link"));
    await promisify(execFile)("mkfifo", [join(dir, "pipe")]);
    const places = ["file", "pipe", "link", "file/inside", "link/inside"];
    if (process.platform === "linux") places.push("/proc/inside", "/proc/inside/deep");
    for (const place of places) {
      const { exitCode, stdout, stderr } = await call(dir, ["init", place, "--json"]);
      expect([place, exitCode, stderr]).toEqual([place, 2, ""]);
      expect(JSON.parse(stdout)).toMatchObject({
        version: 1,
        error: {
          code: "invalid_argument",
          message: expect.stringMatching(/^no mod can be written there: E/),
        },
      });
    }
    expect(readdirSync(dir).sort()).toEqual(["file", "link", "pipe"]);
    expect(await call(dir, ["init", "a/b/c"])).toMatchObject({ exitCode: 0 });
  });

  test("what is no command line is told as JSON where that is asked for", async () => {
    const { exitCode, stdout, stderr } = await call(createTempDir(), ["fly", "--json"]);
    expect([exitCode, stderr]).toEqual([2, ""]);
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      error: {
        code: "CODEX_JS_MOD_USAGE",
        message: "there is no command fly",
        hint: "codex-js-mod --help lists what there is",
      },
    });
  });

  test.each(["status-line", "privacy-filter", "command", "render"])("check passes %s", async (name) => {
    const { stdout, exitCode } = await call(createProject(name), ["check", name]);
    expect({ stdout, exitCode }).toEqual({
      stdout: expect.stringContaining(`${name} 1.0.0 is fine`),
      exitCode: 0,
    });
  });

  test("check tells types, hooks, syntax and imports, each with its place", async () => {
    const dir = createProject("status-line");
    const mod = join(dir, "status-line");
    const edit = (file: string, from: string, to: string) =>
      writeFileSync(join(mod, file), readFileSync(join(mod, file), "utf8").replace(from, to));
    edit("format.ts", "formatModel(model: string): string", "formatModel(model: string): number");
    edit(
      "main.ts",
      "export default statusLine;",
      "export default statusLine;\nenum Late { One }\ndocument.title;",
    );
    edit("mod.json", '"statusLine": "main.ts"', '"statusLine": "main.ts", "other": "git.ts#gone"');
    const { stdout, exitCode } = await call(dir, ["check", "status-line", "--json"]);
    const { problems } = JSON.parse(stdout);
    expect(exitCode).toBe(1);
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: "TS2322", file: "format.ts", line: 4 }),
        expect.objectContaining({ code: "TS1294", file: "main.ts" }),
        expect.objectContaining({ code: "TS2584", file: "main.ts" }),
        expect.objectContaining({ file: "mod.json", message: expect.stringMatching(/^hook other: .*gone/) }),
      ]),
    );
  });

  test.each<[string, string, string]>([
    ["a module of Node's", 'import "node:fs";', "mods have no Node modules; ask the host"],
    ["a package", 'import "lodash";', "a mod has its own files alone"],
    ["a file without its extension", 'import "./lib";', 'write "./lib.ts"'],
    ["a file by the name that a compiler gives it", 'import "./lib.js";', 'write "./lib.ts"'],
    ["a timer", "setTimeout(() => {}, 1);", 'host.call("time.sleep"'],
    ["an object of Node's", "process.exit();", "ask the host"],
  ])("check and run tell what there is in place of %s", async (_, code, advice) => {
    const dir = createProject("command");
    writeFileSync(join(dir, "command/lib.ts"), "export const lib = 1;\n");
    writeFileSync(join(dir, "command/main.ts"), `export const changelog = () => {};\n${code}\n`);
    const checked = await call(dir, ["check", "command"]);
    const ran = await call(dir, ["run", "command"]);
    for (const { exitCode, text } of [
      { exitCode: checked.exitCode, text: checked.stdout },
      { exitCode: ran.exitCode, text: ran.stderr },
    ]) {
      expect(exitCode).toBe(1);
      expect(text.match(/^ {2}fix: .*$/gm)).toEqual([expect.stringContaining(advice)]);
      expect(text).not.toMatch(/npm i|tsconfig/);
    }
  });

  test("check says how to come by TypeScript", async () => {
    const dir = createTempDir();
    cpSync(join(examplesDir, "command"), join(dir, "command"), { recursive: true });
    expect(await call(dir, ["check", "command"])).toEqual({
      exitCode: 2,
      stdout: expect.stringMatching(
        /fix: run: npm install --save-dev typescript@7\ncommand 1\.0\.0: 1 problem\n$/,
      ),
      stderr: "",
    });
    mkdirSync(join(dir, "node_modules/typescript"), { recursive: true });
    writeFileSync(join(dir, "node_modules/typescript/package.json"), '{"version":"5.9.3","bin":{"tsc":"x"}}');
    writeFileSync(join(dir, "command/main.ts"), "export function changelog( {");
    const { stdout, exitCode } = await call(dir, ["check", "command", "--json"]);
    expect(exitCode).toBe(2);
    // What the runner does not take is told all the same.
    expect(JSON.parse(stdout).problems).toEqual([
      expect.objectContaining({
        code: "invalid_argument",
        message: expect.stringContaining("is TypeScript 5.9.3, expected 7 or newer"),
      }),
      expect.objectContaining({ code: "ERR_INVALID_TYPESCRIPT_SYNTAX", file: "main.ts" }),
    ]);
  });

  test("run takes its input inline, from a file, from stdin, and says what is none", async () => {
    const dir = createProject("render");
    writeFileSync(join(dir, "input.json"), '{"id":"a","text":"file","columns":9}');
    const run = (input: string, stdin?: string) =>
      call(dir, ["run", "render", "--hook", "render", "--input", input, "--json"], stdin);
    const inputs = [
      await run('{"id":"a","text":"inline","columns":9}'),
      await run("input.json"),
      await run("-", '{"id":"a","text":"stdin","columns":9}'),
    ];
    expect(inputs.map(({ stdout }) => JSON.parse(stdout).value.lines)).toEqual([
      ["inline"],
      ["file"],
      ["stdin"],
    ]);
    expect(await run("gone.json")).toMatchObject({ exitCode: 2 });
    expect(await run("-", "{")).toMatchObject({ exitCode: 2 });
    expect((await call(dir, ["run", "render"])).stderr).toContain("fix: say which with --hook NAME");
  });

  test("run answers host operations, and says how where it does not", async () => {
    const dir = createProject("command");
    const args = ["run", "command", "--input", '{"args":["v1"]}'];
    const commits = JSON.stringify([{ hash: "0123456789", subject: "fix: it" }]);
    expect((await call(dir, [...args, "--reply", `git.log=${commits}`, "--json"])).stdout).toContain(
      "- it (0123456)",
    );
    expect(await call(dir, args)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /\(host_operation_denied\)\n(.*\n)* {2}fix: answer it: --reply 'git\.log=JSON'\n$/,
      ),
    });
  });

  test("a reply that the mod does not ask for is warned of", async () => {
    const dir = createProject("command");
    const args = ["run", "command", "--input", '{"args":["v1"]}', "--reply", "git.log=[]"];
    const { exitCode, stdout, stderr } = await call(dir, [...args, "--reply", "git.lg=[]", "--json"]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: 'warning: --reply git.lg: the mod does not ask for it; its "grants" in mod.json have git.log\n',
    });
    expect(JSON.parse(stdout)).toMatchObject({ mod: "command 1.0.0" });
    expect((await call(dir, args)).stderr).not.toContain("warning");
  });

  test.each(["run", "check"])("a time-out of %s names the command's own option", async (command) => {
    const dir = createProject("command");
    writeFileSync(
      join(dir, "command/main.ts"),
      `export function changelog(): never { for (;;); }\n${command === "check" ? "changelog();\n" : ""}`,
    );
    const { stdout, stderr, exitCode } = await call(dir, [command, "command", "--budget", "50"]);
    expect(exitCode).toBe(1);
    expect(stdout + stderr).toContain("fix: raise it with --budget MS, or do less in one callback\n");
  });

  test("run shows the author's line and code", async () => {
    const dir = createProject("command");
    writeFileSync(
      join(dir, "command/main.ts"),
      "export function changelog(): never {\n  throw new Error('here');\n}\n",
    );
    const { stderr, exitCode } = await call(dir, ["run", "command"]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /threw Error: here \(main\.ts:2:\d+\) \(mod_error\)\n(.*\n)* {2}at changelog main\.ts:2:\d+\n/,
    );
  });

  test("a stop ends the callback, and leaves nothing", async () => {
    const dir = createProject("command");
    const source = `export async function changelog(_: unknown, host: any): Promise<void> {
      console.log("waiting");
      await host.call("time.sleep", { ms: 60_000 });
    }\n`;
    writeFileSync(join(dir, "command/main.ts"), source);
    const env = { ...process.env, CODEX_JS_MOD_RUNNER_PATH: realRunner };
    const child = spawn(executables[runtime], [bin, "run", "command", "--budget", "50000"], {
      cwd: dir,
      env,
    });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
      // Once: a second one ends it without cleaning up.
      if (/waiting\n$/.test(stderr)) child.kill("SIGTERM");
    });
    const exitCode = await new Promise((resolve) => child.once("close", resolve));
    expect({ exitCode, stderr }).toEqual({
      exitCode: 143,
      stderr: expect.stringContaining("(mod_cancelled)"),
    });
  });

  test("without a runner it says so, and that is no fault of the mod's", async () => {
    const dir = createProject("command");
    const env = { ...process.env, CODEX_JS_MOD_RUNNER_PATH: join(dir, "none") };
    const result = await new Promise<Result>((resolve) => {
      execFile(
        executables[runtime],
        [bin, "run", "command", "--json"],
        { cwd: dir, env },
        (error, stdout, stderr) => resolve({ exitCode: Number(error?.code), stdout, stderr }),
      );
    });
    expect(result.exitCode).toBe(3);
    expect(JSON.parse(result.stdout)).toMatchObject({ version: 1, error: { code: "runner_unavailable" } });
  });
});
