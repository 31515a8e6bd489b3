import type { ModProbe } from "../probe.ts";

/** Long enough for a runner to start its work, short enough for many. */
const budgetMs = 150;

const endless = (id: string, tries: string, mod: string): ModProbe => ({
  id,
  tries,
  mod,
  budgetMs,
  expect: { code: "mod_timeout" },
});

const wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0";

/** Nothing runs past its budget. */
export const cpuProbes: ModProbe[] = [
  endless("loop", "`for (;;)`", "export default () => { for (;;); };"),
  endless("top-level-loop", "`for (;;)` while the module is evaluated", "for (;;); export default 1;"),
  endless("microtask-loop", "a loop of microtasks", "export default async () => { for (;;) await null; };"),
  endless(
    "microtask-chain",
    "a microtask that begets the next",
    "export default () => { const next = () => { Promise.resolve().then(next); }; next(); return new Promise(() => {}); };",
  ),
  endless(
    "top-level-microtask-loop",
    "the same by top-level `await`",
    "for (;;) await null; export default 1;",
  ),
  {
    id: "top-level-await",
    tries: "top-level `await` of what never resolves",
    mod: "await new Promise(() => {}); export default 1;",
    budgetMs: 1000,
    expect: { code: "mod_invalid_result" },
  },
  endless(
    "regular-expression",
    "a regular expression that backtracks for ever",
    "export default () => /(a+)+b/.test('a'.repeat(60));",
  ),
  endless(
    "regular-expression-replace",
    "the same in `replace`, within one call of V8's own",
    "export default () => 'x'.repeat(80).replace(/(x+x+)+y/, '');",
  ),
  endless("atomics-wait", "`Atomics.wait` for ever", `export default () => ${wait}, Infinity);`),
  endless("top-level-atomics-wait", "the same while the module is evaluated", `${wait}); export default 1;`),
  endless(
    "catch-and-retry",
    "a loop that catches its own termination",
    "export default () => { while (true) { try { for (;;); } catch {} finally { continue; } } };",
  ),
  endless(
    "recursive-finally",
    "recursion that goes on in `finally`",
    "function again(): void { try { again(); } finally { again(); } } export default again;",
  ),
  endless(
    "sort-comparator",
    "a comparator that loops",
    "export default () => [3, 1, 2].sort(() => { for (;;); });",
  ),
  endless(
    "generator-loop",
    "a generator without end",
    "export default () => { for (const _ of (function* () { for (;;) yield 1; })()); };",
  ),
  endless(
    "silent-host",
    "a wait for an operation that never answers",
    "export default (_: unknown, host: any) => host.call('pause');",
  ),
  endless(
    "long-sleep",
    "`time.sleep` for longer than the budget",
    "export default (_: unknown, host: any) => host.call('time.sleep', { ms: 1e6 });",
  ),
  {
    id: "native-sort",
    tries: "one call that V8 does not interrupt: 4 million numbers sorted",
    mod: "export default () => new Array(4e6).fill(0).map((_, i) => -i).sort().length;",
    budgetMs,
    expect: { code: ["mod_timeout", "mod_out_of_memory"] },
  },
  {
    id: "native-bigint",
    tries: "one call that V8 does not interrupt: a number of a million digits written out",
    mod: "export default () => (3n ** 2000000n).toString().length;",
    budgetMs: 20,
    expect: { code: ["mod_timeout", "ok"] },
  },
];
