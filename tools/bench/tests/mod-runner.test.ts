import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  createProcessContext,
  createProgress,
  findWorkspaceRoot,
  runNode,
  withTempDir,
} from "@codex-js/cli-kit";
import { describe, expect, test } from "vitest";
import { createChildEnv } from "../src/child-env.ts";
import type { BenchDocument } from "../src/document/types.ts";
import {
  askCallback,
  askLoad,
  askRender,
  benchMods,
  createIdentity,
  privacyFilter,
  render,
  statusLine,
} from "../src/mod-runner/bench-mods.ts";
import { driveLoad } from "../src/mod-runner/drive-load.ts";
import { benchOperations } from "../src/mod-runner/host-operations.ts";
import { loadPart } from "../src/mod-runner/parts/load.ts";
import { memoryPart } from "../src/mod-runner/parts/memory.ts";
import type { PartContext } from "../src/mod-runner/parts/part.ts";
import { turnsPart } from "../src/mod-runner/parts/turns.ts";
import { type RunnerClient, startRunner, type TurnRequest } from "../src/mod-runner/runner-client.ts";
import {
  builtRunner,
  createOurSide,
  nodeSide,
  oursSide,
  prepareNodeSide,
  type RunnerSide,
} from "../src/mod-runner/sides.ts";
import type { ScenarioContext } from "../src/scenario.ts";

const packageDir = join(import.meta.dirname, "..");
const cli = join(packageDir, "src", "cli.ts");
const root = findWorkspaceRoot(packageDir);
const ourRunner = join(root, builtRunner);
const isBuilt = existsSync(ourRunner);
const isLinux = process.platform === "linux";

async function prepareSide(name: string, dir: string): Promise<RunnerSide> {
  if (name === nodeSide) return prepareNodeSide(process.execPath, dir);
  return createOurSide(ourRunner);
}

async function withRunner<T>(name: string, use: (runner: RunnerClient) => Promise<T>): Promise<T> {
  return withTempDir("codex-js-mod-bench", async (dir) => {
    const side = await prepareSide(name, dir);
    const env = createChildEnv(process.env);
    await using runner = await startRunner(side, { cwd: dir, env, operations: benchOperations });
    return await use(runner);
  });
}

/** What a runner must say; the words of a message are its own. */
async function ask(runner: RunnerClient, request: TurnRequest) {
  const { answer, logs } = await runner.ask(request);
  const said = logs.map(({ level, text }) => `${level}: ${text}`);
  const log = said.length === 0 ? {} : { log: said };
  if (answer.type !== "error") return { ...log, ...("value" in answer ? { value: answer.value } : {}) };
  const { code, reason, name, syntaxCode, location, stack } = answer;
  const first = stack?.[0];
  return JSON.parse(JSON.stringify({ ...log, code, reason, name, syntaxCode, location, first }));
}

function askSource(modules: Record<string, string>, budgetMs = 20_000): TurnRequest {
  const mod = createIdentity("case", modules);
  const [module] = Object.keys(modules);
  return {
    type: "callback",
    mod,
    modules,
    hook: { module: module!, export: "default" },
    input: { name: "Ada" },
    budgetMs,
  };
}

const cases: { name: string; modules: Record<string, string>; expected: unknown }[] = [
  { name: "undefined is null", modules: { "a.js": "export default () => {};" }, expected: { value: null } },
  {
    name: "the input belongs to the mod's realm",
    modules: { "a.ts": "export default (input: object) => [input instanceof Object, (input as any).name];" },
    expected: { value: [true, "Ada"] },
  },
  {
    name: "a promise, and the console",
    modules: {
      "a.ts": 'export default async () => { console.warn("careful", 1); return await 7 as number; };',
    },
    expected: { log: ["warn: careful 1"], value: 7 },
  },
  {
    name: "modules, in folders and in cycles",
    modules: {
      "main.ts":
        'import { two } from "./lib/two.ts"; export const one: number = 1; export default () => two() + 1;',
      "lib/two.ts": 'import { one } from "../main.ts"; export const two = (): number => one + 1;',
    },
    expected: { value: 3 },
  },
  {
    name: "top-level await",
    modules: { "a.js": "const x = await Promise.resolve(4); export default () => x;" },
    expected: { value: 4 },
  },
  {
    name: "an error, with the author's own place",
    modules: {
      "a.ts": 'type A = string;\nexport default (input: A) => {\n  throw new RangeError("no");\n};',
    },
    expected: {
      code: "mod_error",
      name: "RangeError",
      location: { module: "a.ts", line: 3, column: 9 },
      first: { module: "a.ts", line: 3, column: 9 },
    },
  },
  {
    name: "what the host refuses",
    modules: {
      "a.ts":
        'export default (_: unknown, host: any) => host.call("no.such", 1).catch((e: any) => [e.name, e.code]);',
    },
    expected: { value: ["HostError", "host_operation_denied"] },
  },
  {
    name: "TypeScript that cannot be erased",
    modules: { "a.ts": "export enum A { B }\nexport default () => A.B;" },
    expected: { code: "mod_syntax_error", syntaxCode: "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX" },
  },
  {
    name: "TypeScript that does not parse",
    modules: { "a.ts": "export default () => {{{" },
    expected: { code: "mod_syntax_error", syntaxCode: "ERR_INVALID_TYPESCRIPT_SYNTAX" },
  },
  {
    name: "JavaScript that does not parse",
    modules: { "a.js": "export default () => {{{" },
    expected: { code: "mod_syntax_error", name: "SyntaxError" },
  },
  ...["node:fs", "../a.js", "left-pad", "/a.js", "./b%2ejs", "data:text/javascript,1"].map((specifier) => ({
    name: `an import of ${specifier}`,
    modules: { "a.js": `import ${JSON.stringify(specifier)}; export default () => 1;` },
    expected: { code: "mod_import_refused" },
  })),
  {
    name: "a function for a result",
    modules: { "a.js": "export default () => () => 1;" },
    expected: { code: "mod_invalid_result" },
  },
  {
    name: "a cycle for a result",
    modules: { "a.js": "export default () => { const a = {}; a.a = a; return a; };" },
    expected: { code: "mod_invalid_result" },
  },
  {
    name: "a promise that never settles",
    modules: { "a.js": "export default () => new Promise(() => {});" },
    expected: { code: "mod_invalid_result" },
  },
  {
    name: "no such export",
    modules: { "a.js": "export const b = 1;" },
    expected: { code: "mod_invalid" },
  },
  {
    name: "no eval, no import()",
    modules: {
      "a.js":
        'export default async () => [typeof await import("./a.js").catch((e) => e), (() => { try { return eval("1"); } catch (e) { return e.name; } })()];',
    },
    expected: { value: ["object", "EvalError"] },
  },
];

describe.skipIf(!isLinux).each([
  { side: nodeSide, isThere: true },
  { side: oursSide, isThere: isBuilt },
])("the runner $side", ({ side, isThere }) => {
  test.skipIf(!isThere).each(cases)("$name", async ({ modules, expected }) => {
    const answer = await withRunner(side, (runner) => ask(runner, askSource(modules)));
    expect(answer).toMatchObject(expected as object);
  });

  test.skipIf(!isThere)("runs the status line, with two host calls at a time, twice", async () => {
    const answers = await withRunner(side, async (runner) => [
      await ask(runner, askCallback(statusLine)),
      await ask(runner, askCallback(statusLine, { isKnown: true })),
    ]);
    const segments = ["◆ gpt-5", "…/me/work/東京/codex-js", "⎇ main", "+12 −3", "▤ 93.0k of 272.0k (34 %)"];
    const value = { text: segments.join(" · "), segments };
    expect(answers).toEqual([{ value }, { value }]);
  });

  test.skipIf(!isThere)("serves renders with a state that lasts, beside callbacks with none", async () => {
    const known = await withRunner(side, async (runner) => {
      const answers = [
        await ask(runner, askLoad(render)),
        await ask(runner, askRender(render, 1)),
        await ask(runner, askRender(render, 2)),
        await ask(runner, askRender(render, 1)),
        await ask(runner, askCallback(render, { isKnown: true })),
        await ask(runner, askRender(render, 2)),
      ];
      return answers.map((answer) => (answer as { value?: { isSame: boolean } }).value?.isSame);
    });
    expect(known).toEqual([undefined, false, false, true, false, true]);
  });

  test.skipIf(!isThere)("refuses another mod, and a render of none", async () => {
    const answers = await withRunner(side, async (runner) => [
      await ask(runner, askRender(render, 1)),
      await ask(runner, askCallback(render)),
      await ask(runner, askCallback(statusLine)),
    ]);
    expect(answers).toMatchObject([
      { code: "protocol_error", reason: "not_loaded" },
      { value: { isSame: false } },
      { code: "protocol_error", reason: "bound" },
    ]);
  });

  test.skipIf(!isThere)("takes the code caches that it made, and makes them once", async () => {
    await withTempDir("codex-js-mod-bench", async (dir) => {
      const runner = await prepareSide(side, dir);
      const env = createChildEnv(process.env);
      const options = { cwd: dir, env, operations: benchOperations, cacheKey: "ab".repeat(32) };
      await using first = await startRunner(runner, options);
      const made = await first.ask(askCallback(render, { wantCaches: true }));
      await using second = await startRunner(runner, options);
      const taken = await second.ask(askCallback(render, { wantCaches: true, caches: made.caches }));
      expect([Object.keys(made.caches).sort(), taken.caches]).toEqual([["lines.ts", "main.ts"], {}]);
      expect(taken.answer).toMatchObject({ type: "result", value: { isSame: false } });
    });
  });
});

test.skipIf(!isLinux || !isBuilt)(
  "both runners give the same answers to every mod of the benchmark",
  async () => {
    const runAll = (side: string) =>
      Promise.all(
        benchMods.map((mod) =>
          withRunner(side, async (runner) => [
            await ask(runner, askCallback(mod)),
            await ask(runner, askLoad(mod)),
            await ask(runner, askRender(mod, 1)),
          ]),
        ),
      );
    const answers = await runAll(oursSide);
    expect(answers.flat()).not.toContainEqual(expect.objectContaining({ code: expect.anything() }));
    expect(answers).toEqual(await runAll(nodeSide));
  },
);

test.skipIf(!isLinux)("the baseline runs the mod with HMAC", async () => {
  const answer = await withRunner(nodeSide, (runner) => ask(runner, askCallback(privacyFilter)));
  const hmac = createHmac("sha256", Buffer.alloc(32, 7)).update("email:jane.doe@example.com").digest("hex");
  const { text, replaced } = (answer as { value: { text: string; replaced: object } }).value;
  expect(text).toContain(`write to ‹email:${hmac.slice(0, 10)}› or call`);
  expect(replaced).toEqual({ email: 12, ipv4: 12, card: 6, key: 6 });
});

const small = [
  ...["--blocks", "1", "--reused", "2", "--renders", "2", "--memory-blocks", "1", "--many", "2"],
  ...["--quiet-ms", "30", "--load-blocks", "1", "--callbacks", "20", "--callers", "2"],
];

test.skipIf(!isLinux || !isBuilt)("a small run measures every part on both sides, in turn", async () => {
  const output = join(packageDir, ".reports", "mod-runner.json");
  const { stdout } = await runNode(cli, ["mod-runner", ...small, "--json", "--output", output], {
    cwd: packageDir,
    env: process.env,
  });
  const document = JSON.parse(stdout) as BenchDocument;
  const measured = document.comparisons.map(({ metric, group }) => `${group}: ${metric}`);
  expect(measured).toEqual(expect.arrayContaining(wanted));
  expect(document.comparisons.filter(({ ratio }) => ratio === null)).toEqual([]);
  const sides = document.samples.filter(({ metric }) => metric === "loadTotalMs").map(({ side }) => side);
  expect(sides).toEqual([oursSide, nodeSide]);
  const kept = document.raw as { side: string; elapsedMs?: number[] }[];
  expect(kept.flatMap(({ side, elapsedMs }) => (elapsedMs ? [[side, elapsedMs.length]] : []))).toEqual([
    [oursSide, 20],
    [nodeSide, 20],
  ]);
});

const wanted = [
  ...["startMs", "readyMs", "startCpuMs"].map((metric) => `runner: ${metric}`),
  ...["freshCallbackMs", "cachedCallbackMs", "reusedCallbackMs", "freshCpuMs", "reusedCpuMs"].flatMap(
    (metric) => benchMods.map(({ name }) => `${name}: ${metric}`),
  ),
  "render: loadMs",
  "render, 12 lines: renderMs",
  "render, 60 lines: renderMs",
  ...["privateDirtyKib", "pssKib", "rssKib"].flatMap((metric) => [
    `one idle: ${metric}`,
    `one, after a callback: ${metric}`,
    `one, reused: ${metric}`,
    `one, reused, at rest: ${metric}`,
    `2 at once, idle: ${metric}`,
    `2 at once, after a callback: ${metric}`,
    `2 callers, the pool at the end: ${metric}`,
    `2 callers, the pool at the end, at rest: ${metric}`,
  ]),
  "2 callers, 20 callbacks: loadP95Ms",
];

test.skipIf(!isLinux)("the baseline alone goes through turns, memory and load", async () => {
  const samples = await withTempDir("codex-js-mod-bench", async (dir) => {
    const part: PartContext = {
      context: createScenarioContext(),
      sides: [await prepareNodeSide(process.execPath, dir)],
      dir,
      env: createChildEnv(process.env),
      samples: [],
      raw: [],
      notes: [],
    };
    for (const { measure } of [turnsPart, memoryPart, loadPart]) await measure(part);
    return part.samples;
  });
  const measured = new Set(samples.map(({ group, metric }) => `${group}: ${metric}`));
  expect([...measured]).toEqual(expect.arrayContaining(wanted));
  expect(samples.filter(({ value }) => !(value > 0))).toEqual([]);
});

function createScenarioContext(): ScenarioContext {
  const values = small.flatMap((text, index): [string, number][] => {
    if (index % 2 === 1) return [];
    const name = text.slice(2).replaceAll(/-./g, (letters) => letters[1]!.toUpperCase());
    return [[name, Number(small[index + 1])]];
  });
  const context = { ...createProcessContext(new AbortController().signal), stderr: { write: () => {} } };
  return {
    ...context,
    options: { sandbox: "", ...Object.fromEntries(values) },
    short: false,
    root,
    cacheDir: packageDir,
    progress: createProgress(context),
    seed: 1,
  };
}

test.skipIf(!isLinux)("a pool is made anew where the runners do not last", async () => {
  await withTempDir("codex-js-mod-bench", async (dir) => {
    const side = { ...(await prepareNodeSide(process.execPath, dir)), lifeCallbacks: 3 };
    const { signal } = new AbortController();
    const load = { root, sandbox: "", mods: [statusLine, render], callers: 2, callbacks: 10, signal };
    const processes: number[] = [];
    const { pools, elapsedMs, runners } = await driveLoad(side, load, async (pids) => {
      processes.push(pids.length);
    });
    const sum = Object.values(runners).reduce((total, count) => total + count, 0);
    expect({ pools, callbacks: elapsedMs.length, sum }).toEqual({ pools: 2, callbacks: 10, sum: 10 });
    expect(processes[0]).toBeGreaterThanOrEqual(2);
  });
});

test.skipIf(!isLinux)("without a built runner one line says so", async () => {
  const args = ["mod-runner", "--short", "--runner", join("no", "such", "runner")];
  const run = await runNode(cli, args, { cwd: packageDir, env: process.env, okExitCodes: [2] });
  expect(run.stderr).toMatch(/^error: no mod runner is at .*such.runner \(CODEX_JS_BENCH_NOT_BUILT\)$/m);
  expect(run.stdout).toBe("");
});
