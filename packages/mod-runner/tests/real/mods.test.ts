import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitUntilGone } from "@codex-js/testkit/process-state";
import { describe, expect, test } from "vitest";
import type { DriveCall } from "../runtimes/drive.ts";
import { type DriveOptions, driveHost, driveProcess, runtimeNames } from "../runtimes/runtimes.ts";
import { createTempDir } from "../temp-dir.ts";
import { realRunner } from "./real-runner.ts";

/** A mod of several hooks in one file; `grants` are what it asks for. */
function createMod(
  source: string,
  hooks: readonly string[],
  more: Record<string, string> = {},
  grants = ["op"],
) {
  const targets = Object.fromEntries(hooks.map((hook) => [hook, `main.ts#${hook}`]));
  const manifest = { name: "any", version: "1.0.0", protocol: "1", hooks: targets, grants };
  return { files: { "mod.json": JSON.stringify(manifest), "main.ts": source, ...more } };
}

const fine = "export const fine = (input: unknown) => ({ input });";

describe.skipIf(realRunner === undefined).each(runtimeNames)("mods on the real runner, on %s", (runtime) => {
  const drive = (options: Partial<DriveOptions>) =>
    driveHost(runtime, { ...options, host: { runnerPath: realRunner!, ...options.host } });
  const outcomesOf = async (source: string, calls: DriveCall[], options: Partial<DriveOptions> = {}) =>
    (
      await drive({
        mod: createMod(`${fine}\n${source}`, [...new Set(calls.map(({ hook = "fine" }) => hook))]),
        calls,
        ...options,
      })
    ).outcomes;

  test("any JSON goes in and comes out as it is", async () => {
    const values = [null, 1.5, "a\u2028\n\u0000ü😀", [[], {}], { "": 1, constructor: 2 }];
    const outcomes = await outcomesOf(
      "",
      values.map((input) => ({ hook: "fine", input })),
    );
    expect(outcomes.map(({ value }) => value)).toEqual(values.map((input) => ({ input })));
  });

  test("stats: which runner, times, memory, compiled code", async () => {
    const { outcomes, events } = await drive({
      mod: createMod(fine, ["fine"]),
      calls: [{ hook: "fine" }, { hook: "fine" }],
    });
    const common = {
      waitedMs: expect.any(Number),
      roundTripMs: expect.any(Number),
      elapsedMs: expect.any(Number),
      cpuMs: expect.any(Number),
      heapBytes: expect.any(Number),
      externalBytes: expect.any(Number),
      ...(process.platform === "linux"
        ? { rssBytes: expect.any(Number), peakRssBytes: expect.any(Number) }
        : {}),
      hostRequests: 0,
      denied: [],
      logsDropped: 0,
      codeCached: false,
    };
    expect(outcomes.map(({ stats }) => stats)).toEqual([
      { runner: "started", ...common },
      { runner: "warm", ...common },
    ]);
    expect(events[0]).toMatchObject({ type: "runner-started", sandbox: { mode: "require" } });
  });

  // A row of what a mod may do wrong: the code that it gets, and the callback after it, on whatever runner.
  test.each<[string, string, string, Partial<DriveCall>]>([
    ["throws", "export const bad = () => { throw new TypeError('boom'); }", "mod_error", {}],
    ["rejects", "export const bad = async () => { throw null; }", "mod_error", {}],
    ["never settles", "export const bad = () => new Promise(() => {})", "mod_invalid_result", {}],
    [
      "returns a cycle",
      "export const bad = () => { const a: any = {}; a.a = a; return a; }",
      "mod_invalid_result",
      {},
    ],
    ["returns a BigInt", "export const bad = () => 1n", "mod_invalid_result", {}],
    [
      "returns a __proto__",
      "export const bad = () => JSON.parse('{\"__proto__\":1}')",
      "mod_invalid_result",
      {},
    ],
    ["loops", "export const bad = () => { for (;;); }", "mod_timeout", { budgetMs: 50 }],
    [
      "loops in microtasks",
      "export const bad = async () => { for (;;) await null; }",
      "mod_timeout",
      { budgetMs: 50 },
    ],
    [
      "waits too long",
      "export const bad = (_: unknown, host: any) => host.call('time.sleep', { ms: 1e9 })",
      "mod_timeout",
      { budgetMs: 50 },
    ],
    [
      "grows",
      "export const bad = () => { const all: unknown[] = []; for (;;) all.push(new Array(1000).fill(all.length)); }",
      "mod_out_of_memory",
      {},
    ],
    [
      "asks for what it may not have",
      "export const bad = (_: unknown, host: any) => host.call('fs.read', 1)",
      "host_operation_denied",
      {},
    ],
    [
      "asks for what is not granted",
      "export const bad = (_: unknown, host: any) => host.call('op', 1)",
      "host_operation_denied",
      {},
    ],
  ])("one that %s", async (_, source, code, call) => {
    const outcomes = await outcomesOf(source, [
      { hook: "bad", ...call },
      { hook: "fine", input: 1 },
    ]);
    expect(outcomes).toEqual([
      { error: expect.objectContaining({ name: "ModError", code, mod: "any", hook: "bad" }) },
      expect.objectContaining({ value: { input: 1 } }),
    ]);
  });

  test.each<[string, Record<string, string>, object]>([
    [
      "an enum",
      { "main.ts": "enum A { B }\nexport default () => A.B;" },
      {
        code: "mod_syntax_error",
        syntaxCode: "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX",
        location: { module: "main.ts", line: 1, column: 1 },
      },
    ],
    [
      "half a statement",
      { "main.ts": "export default () => {" },
      { code: "mod_syntax_error", syntaxCode: "ERR_INVALID_TYPESCRIPT_SYNTAX" },
    ],
    [
      "an import from outside",
      { "main.ts": 'import "node:fs"; export default 1;' },
      { code: "mod_import_refused" },
    ],
    ["an export that is not there", { "main.ts": "export const other = 1;" }, { code: "mod_invalid" }],
    ["an export that is no function", { "main.ts": "export default 1;" }, { code: "mod_invalid" }],
  ])("a module with %s", async (_, files, error) => {
    const manifest = { name: "any", version: "1.0.0", protocol: "1", hooks: { main: "main.ts" } };
    const { outcomes } = await drive({
      mod: { files: { "mod.json": JSON.stringify(manifest), ...files } },
      calls: [{}],
    });
    expect(outcomes).toEqual([{ error: expect.objectContaining(error) }]);
  });

  // The runner ends itself after that answer: the next callback must not be given to it.
  test("a module that is nested too deeply for the parser, and the callback after it", async () => {
    const manifest = {
      name: "any",
      version: "1.0.0",
      protocol: "1",
      hooks: { deep: "deep.ts", fine: "main.ts#fine" },
    };
    const deep = `export default () => ${"(".repeat(200_000)}1${")".repeat(200_000)};`;
    const files = { "mod.json": JSON.stringify(manifest), "deep.ts": deep, "main.ts": fine };
    const dir = createTempDir();
    for (const [path, text] of Object.entries(files)) writeFileSync(join(dir, path), text);
    const { outcomes } = await drive({
      mod: dir,
      calls: [{ hook: "deep" }, { hook: "fine", input: 1 }],
    });
    expect(outcomes).toEqual([
      {
        error: expect.objectContaining({
          code: "mod_syntax_error",
          message: expect.stringContaining("nested too deeply"),
        }),
      },
      expect.objectContaining({ value: { input: 1 } }),
    ]);
  });

  test("an error's stack has the author's own lines", async () => {
    const source = `interface Box<T> { value: T }\nfunction open(box: Box<number>): never {\n  throw new RangeError(String(box.value));\n}\nexport default (input: number) => open({ value: input });\n`;
    const dir = createTempDir();
    writeFileSync(
      join(dir, "mod.json"),
      '{"name":"any","version":"1.0.0","protocol":"1","hooks":{"main":"main.ts"}}',
    );
    writeFileSync(join(dir, "main.ts"), source);
    const { outcomes } = await drive({ mod: dir, calls: [{ input: 7 }] });
    const { error } = outcomes[0]!;
    expect(error).toMatchObject({
      code: "mod_error",
      thrown: "RangeError",
      location: { module: "main.ts", line: 3 },
    });
    expect(error!.message).toMatch(/^any, hook main: threw RangeError: 7 \(main\.ts:3:\d+\)$/);
    const [first, second] = String(error!.stack).split("\n").slice(1);
    expect(first).toMatch(new RegExp(`^    at open \\(${dir}/main\\.ts:3:\\d+\\)$`));
    expect(second).toMatch(/main\.ts:5:/);
  });

  test("host operations: values, errors of the host's, several at a time, a value that is large", async () => {
    const source = `
      export const many = async (_: unknown, host: any) => Promise.all([1, 2, 3].map((n) => host.call("op", n)));
      export const fails = (_: unknown, host: any) => host.call("fails").catch((e: any) => [e.name, e.code, e.message]);
      export const throws = (_: unknown, host: any) => host.call("throws").catch((e: any) => [e.code, e.message]);
      export const large = async (_: unknown, host: any) => (await host.call("large")).length;`;
    const hooks = ["many", "fails", "throws", "large"];
    const { outcomes } = await drive({
      mod: createMod(source, hooks, {}, ["op", "fails", "throws", "large"]),
      host: { grants: ["op", "fails", "throws", "large"] },
      operations: {
        op: { echo: true },
        fails: { fails: { code: "not_found", message: "no such file" } },
        throws: { throws: "/home/secret" },
        large: { bytes: 8_000_000 },
      },
      calls: hooks.map((hook) => ({ hook })),
    });
    expect(outcomes.map(({ value, error }) => value ?? error)).toEqual([
      [1, 2, 3],
      ["HostError", "not_found", "no such file"],
      ["host_operation_failed", "throws failed"],
      8_000_000,
    ]);
  });

  test("a denial that the mod takes is told to the host", async () => {
    const source =
      "export const asks = (_: unknown, host: any) => host.call('op').catch((e: any) => e.code);";
    const { outcomes, events } = await drive({ mod: createMod(source, ["asks"]), calls: [{ hook: "asks" }] });
    expect(outcomes).toMatchObject([
      { value: "host_operation_denied", stats: { denied: ["op"], hostRequests: 1 } },
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "operation-denied", operation: "op", reason: "not-granted" }),
    );
  });

  test("logs come with their level, and are bounded", async () => {
    const source =
      "export const talks = () => { console.warn('a', 1, { b: [] }); for (let i = 0; i < 1000; i++) console.log(i); };";
    const { outcomes, logs } = await drive({ mod: createMod(source, ["talks"]), calls: [{ hook: "talks" }] });
    expect(logs[0]).toMatchObject({
      mod: { name: "any" },
      hook: "talks",
      level: "warn",
      text: "a 1 {b: []}",
      truncated: false,
    });
    expect(logs.length).toBeLessThanOrEqual(200);
    expect(outcomes[0]!.stats!.logsDropped).toBe(1001 - logs.length);
  });

  test("nothing lasts from one callback to the next, on the same runner", async () => {
    const source =
      "let n = 0; (globalThis as any).seen ??= 0; export const counts = () => [++n, ++(globalThis as any).seen];";
    const { outcomes } = await drive({
      mod: createMod(source, ["counts"]),
      calls: [{ hook: "counts" }, { hook: "counts" }],
    });
    expect(outcomes.map(({ value, stats }) => [value, stats!.runner])).toEqual([
      [[1, 1], "started"],
      [[1, 1], "warm"],
    ]);
  });

  test("serve mode: state lasts, a render that is cut off takes it away, the next one loads anew", async () => {
    const source = "let n = 0; export const counts = () => ++n; export const loops = () => { for (;;); };";
    const call = (hook: string) => ({ hook, render: true, budgetMs: 200 });
    const { outcomes } = await drive({
      mod: createMod(source, ["counts", "loops"]),
      calls: [call("counts"), call("counts"), call("loops"), call("counts")],
    });
    expect(outcomes.map(({ value, error }) => value ?? error!.code)).toEqual([1, 2, "mod_timeout", 1]);
  });

  test("an abort ends the callback, and the runner is used again", async () => {
    const started = join(createTempDir(), "started");
    const source = "export const waits = (_: unknown, host: any) => host.call('op');";
    const { outcomes } = await drive({
      mod: createMod(`${fine}\n${source}`, ["waits", "fine"]),
      host: { grants: ["op"] },
      operations: { op: { hangs: started } },
      calls: [{ hook: "waits", abort: { onFile: started } }, { hook: "fine" }],
    });
    expect(outcomes).toMatchObject([
      { error: { code: "mod_cancelled", cause: "Error: enough" } },
      { value: { input: null }, stats: { runner: "warm" } },
    ]);
  });

  test("SIGKILL during a host operation", async () => {
    const source = "export const waits = (_: unknown, host: any) => host.call('op');";
    const { outcomes } = await drive({
      mod: createMod(`${fine}\n${source}`, ["waits", "fine"]),
      host: { grants: ["op"], pool: { spare: 0 } },
      operations: { op: { killsRunner: true } },
      calls: [{ hook: "waits" }, { hook: "fine" }],
    });
    expect(outcomes).toMatchObject([{ error: { code: "mod_crashed" } }, { value: { input: null } }]);
  });

  test("1,000 callbacks at once: those that find a place run, the others are refused at once", async () => {
    const { outcomes, counts } = await drive({
      mod: createMod(fine, ["fine"]),
      host: { pool: { runners: 2, queue: 500 } },
      calls: [{ hook: "fine", times: 1000 }],
    });
    expect(outcomes).toEqual([{ counts: { ok: 502, runner_busy: 498 } }]);
    expect(counts).toMatchObject({ busy: 0, waiting: 0 });
  });

  test.each(["exit", "kill"] as const)(
    "no runner outlives a host that ends by %s in a callback",
    async (how) => {
      const dir = createTempDir();
      const [started, pids] = [join(dir, "started"), join(dir, "pids")];
      const source =
        "export const waits = async (_: unknown, host: any) => { await host.call('op').catch(() => {}); for (;;); };";
      await driveProcess(runtime, {
        mod: createMod(source, ["waits"]),
        host: { runnerPath: realRunner!, grants: ["op"], pool: { spare: 0 } },
        operations: { op: { hangs: started } },
        calls: [{ hook: "waits", budgetMs: 60_000, endOnFile: { path: started, how } }],
        pidFile: pids,
      });
      for (const pid of readFileSync(pids, "utf8").trim().split("\n")) await waitUntilGone(Number(pid));
    },
  );
});
