import type { ModProbe } from "../probe.ts";

/** Enough for any of them on a slow machine: memory is to end them, not time. */
const budgetMs = 60_000;
const outOfMemory = { code: "mod_out_of_memory" };

const fills = (id: string, tries: string, mod: string): ModProbe => ({
  id,
  tries,
  mod,
  budgetMs,
  expect: outOfMemory,
});

const throws = (id: string, tries: string, mod: string): ModProbe => ({
  id,
  tries,
  mod,
  budgetMs,
  expect: { code: "mod_error" },
});

const nested = (open: string, close: string) =>
  `export default () => 1; const x = ${open.repeat(100_000)}1${close.repeat(100_000)};`;

/** Memory has an end, and it is the mod's. */
export const memoryProbes: ModProbe[] = [
  fills(
    "objects",
    "objects without end",
    "const all: unknown[] = []; export default () => { for (;;) all.push({ x: [1, 2, 3] }); };",
  ),
  fills(
    "caught-objects",
    "the same, catching whatever comes",
    "const all: unknown[] = []; export default () => { for (;;) try { for (;;) all.push(new Array(100).fill({})); } catch {} };",
  ),
  fills(
    "map",
    "a `Map` without end",
    "const map = new Map(); export default () => { for (let i = 0; ; i++) map.set({}, i); };",
  ),
  fills(
    "top-level-growth",
    "growth while the module is evaluated",
    "const all = []; for (;;) all.push(new Array(1000).fill(1.5)); export default 1;",
  ),
  fills(
    "array-buffers",
    "array buffers, each filled",
    "export default () => { const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1)); };",
  ),
  fills(
    "large-array-buffers",
    "array buffers of 8 MiB",
    "export default () => { const all = []; for (;;) all.push(new ArrayBuffer(8 << 20)); };",
  ),
  fills(
    "shared-buffers",
    "shared array buffers",
    "export default () => { const all = []; for (;;) all.push(new SharedArrayBuffer(8 << 20)); };",
  ),
  throws(
    "huge-buffer",
    "one array buffer of a terabyte",
    "export default () => new ArrayBuffer(2 ** 40).byteLength;",
  ),
  throws(
    "resizable-buffer",
    "a resizable array buffer that grows",
    `export default () => { const b = new ArrayBuffer(1, { maxByteLength: 2 ** 31 });
      for (let n = 1 << 20; n < 2 ** 31; n += 1 << 20) { b.resize(n); new Uint8Array(b).fill(1, n - (1 << 20)); } return b.byteLength; };`,
  ),
  throws(
    "growable-shared-buffer",
    "a growable shared buffer that grows",
    `export default () => { const b: any = new SharedArrayBuffer(1, { maxByteLength: 2 ** 31 });
      for (let n = 1 << 20; n < 2 ** 31; n += 1 << 20) { b.grow(n); new Uint8Array(b).fill(1, n - (1 << 20)); } return b.byteLength; };`,
  ),
  throws(
    "webassembly-memory",
    "`WebAssembly.Memory`",
    "export default () => new (globalThis as any).WebAssembly.Memory({ initial: 65536 }).buffer.byteLength;",
  ),
  throws(
    "string-doubling",
    "a string that doubles",
    "export default () => { let s = 'x'; for (;;) s += s; };",
  ),
  fills(
    "flat-strings",
    "strings, each new",
    "export default () => { const all = []; for (let i = 0; ; i++) all.push(('xx' + i).repeat(1000)); };",
  ),
  fills(
    "json-bomb",
    "`JSON.parse` of 3 million objects",
    "export default () => JSON.parse('[' + '{\"a\":[]},'.repeat(3e6) + '1]').length;",
  ),
  fills(
    "deep-json-bomb",
    "`JSON.parse` of 5 million arrays, one in the other",
    "export default () => JSON.parse('['.repeat(5e6) + ']'.repeat(5e6)).length;",
  ),
  throws(
    "recursion",
    "recursion without end",
    "const again = (): number => again() + 1; export default again;",
  ),
  throws(
    "native-recursion",
    "recursion by way of V8's own functions",
    "const o: any = {}; o.toString = () => String(o) + o; export default () => String(o);",
  ),
  {
    id: "parser-overflow",
    tries: "100,000 parentheses in TypeScript",
    mod: nested("(", ")"),
    budgetMs,
    expect: { code: "mod_syntax_error" },
  },
  {
    id: "parser-overflow-javascript",
    tries: "100,000 parentheses in JavaScript",
    mod: { "main.js": nested("(", ")") },
    entry: "main.js",
    budgetMs,
    expect: { code: "mod_syntax_error" },
  },
  {
    id: "random-values",
    tries: "`crypto.getRandomValues` of 100 MB",
    mod: "export default () => (globalThis as any).crypto.getRandomValues(new Uint8Array(1e8)).length;",
    budgetMs,
    expect: { code: "mod_error" },
  },
];
