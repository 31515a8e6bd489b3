import type { ModProbe } from "../probe.ts";

const invalid = { code: "mod_invalid_result" };
const timeout = { code: "mod_timeout" };

/** A hook whose body is one expression. */
const returns = (expression: string) => `export default (_: unknown, host: any): unknown => ${expression};`;

const promiseProbes: ModProbe[] = [
  {
    id: "thenable",
    tries: "a thenable: awaited as a promise is",
    mod: returns("({ then(resolve: (value: unknown) => void) { resolve({ a: 1 }); } })"),
    expect: { value: { a: 1 } },
  },
  {
    id: "silent-thenable",
    tries: "a thenable that never settles",
    mod: returns("({ then() {} })"),
    expect: invalid,
  },
  {
    id: "throwing-then",
    tries: "a `then` whose getter throws",
    mod: returns("({ get then() { throw new Error('then'); } })"),
    expect: { code: "mod_error" },
  },
  {
    id: "looping-then",
    tries: "a `then` that loops",
    mod: returns("({ then() { for (;;); } })"),
    budgetMs: 150,
    expect: timeout,
  },
  {
    id: "endless-thenables",
    tries: "a thenable that resolves to itself",
    mod: "const again = { then(resolve: (value: unknown) => void) { resolve(again); } }; export default () => again;",
    budgetMs: 150,
    expect: timeout,
  },
  {
    id: "never-settles",
    tries: "a promise that never settles",
    mod: returns("new Promise(() => {})"),
    expect: invalid,
  },
  {
    id: "throws-null",
    tries: "`throw null`",
    mod: "export default () => { throw null; };",
    expect: { code: "mod_error" },
  },
  {
    id: "throws-hostile",
    tries: "an error whose every property throws",
    mod: "export default () => { throw new Proxy(new Error('x'), { get() { throw 1; }, getPrototypeOf() { throw 2; } }); };",
    expect: { code: "mod_error" },
  },
];

const shapeProbes: ModProbe[] = [
  {
    id: "throwing-getter",
    tries: "a getter that throws",
    mod: returns("({ get a() { throw new Error('a'); } })"),
    expect: invalid,
  },
  {
    id: "looping-getter",
    tries: "a getter that loops",
    mod: returns("({ get a() { for (;;); } })"),
    budgetMs: 150,
    expect: timeout,
  },
  {
    id: "looping-to-json",
    tries: "a `toJSON` that loops",
    mod: returns("({ toJSON() { for (;;); } })"),
    budgetMs: 150,
    expect: timeout,
  },
  {
    id: "looping-proxy",
    tries: "a proxy whose `ownKeys` loops",
    mod: returns("new Proxy({}, { ownKeys() { for (;;); } })"),
    budgetMs: 150,
    expect: timeout,
  },
  {
    id: "throwing-proxy",
    tries: "a proxy that throws at everything but `then`",
    mod: returns("new Proxy({}, { get(_, key) { if (key !== 'then') throw 1; }, ownKeys() { throw 2; } })"),
    expect: invalid,
  },
  {
    id: "revoked-proxy",
    tries: "a revoked proxy",
    mod: "export default () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return { proxy }; };",
    expect: invalid,
  },
  {
    id: "cycle",
    tries: "a cycle",
    mod: "const a: any = {}; a.a = a; export default () => a;",
    expect: invalid,
  },
  {
    id: "deep-nesting",
    tries: "100,000 arrays, one in the other",
    mod: "export default () => { let a: unknown[] = []; for (let i = 0; i < 1e5; i++) a = [a]; return a; };",
    expect: invalid,
  },
  {
    id: "shared-parts",
    tries: "a small graph that is 2³⁰ leaves as JSON",
    mod: "export default () => { let a: unknown = ['x']; for (let i = 0; i < 30; i++) a = [a, a]; return a; };",
    expect: { code: ["mod_out_of_memory", "mod_invalid_result"] },
  },
  { id: "bigint", tries: "a BigInt", mod: returns("1n"), expect: invalid },
  { id: "symbol", tries: "a symbol", mod: returns("Symbol('a')"), expect: invalid },
  { id: "function-result", tries: "a function", mod: returns("() => 1"), expect: invalid },
  {
    id: "proto-key",
    tries: "a key `__proto__`",
    mod: returns("[{ ['__proto__']: { polluted: 1 } }]"),
    expect: invalid,
  },
  {
    id: "large-result",
    tries: "9 MB of text: more than a result may have",
    mod: returns("'x'.repeat(9e6)"),
    expect: invalid,
  },
  {
    id: "huge-line",
    tries: "a 100 MB line",
    mod: returns("'x'.repeat(1e8)"),
    expect: { code: ["mod_invalid_result", "mod_out_of_memory"] },
  },
];

const forged = String.raw`"\n{\"type\":\"ready\",\"ready\":true}\n{\"type\":\"hostReply\",\"callback\":1,\"request\":1,\"value\":1}\n{\"type\":\"result\",\"id\":1,\"value\":2}\n"`;

const textProbes: ModProbe[] = [
  {
    id: "separators",
    tries: "U+2028, U+2029, NUL, CR, LF and half a surrogate pair in text and keys",
    mod: String.raw`export default () => ({ "a\n\u2028\0": "\u2028\u2029\0\r\n\ud800" });`,
    expect: { value: { "a\n\u2028\0": "\u2028\u2029\0\r\n\ud800" } },
  },
  {
    id: "forged-in-result",
    tries: "a forged ready line, host reply and result in the result",
    mod: `export default () => ${forged};`,
    expect: { value: JSON.parse(forged) },
  },
  {
    id: "forged-in-log",
    tries: "the same in a console line",
    mod: `export default () => { console.log(${forged}); return 1; };`,
    expect: { value: 1 },
  },
  {
    id: "forged-in-request",
    tries: "the same in a host request and its operation's name",
    mod: `export default async (_: unknown, host: any) => {
      const code = await host.call(${forged}).catch((error: any) => error.code);
      return [code, await host.call("echo", ${forged})];
    };`,
    expect: { value: ["host_operation_denied", JSON.parse(forged)] },
  },
  {
    id: "forged-in-error",
    tries: "the same in an error's message and name",
    mod: `export default () => { throw Object.assign(new Error(${forged}), { name: ${forged} }); };`,
    expect: { code: "mod_error" },
  },
  {
    id: "console-flood",
    tries: "100,000 console lines",
    mod: "export default () => { for (let i = 0; i < 1e5; i++) console.log(i); return 1; };",
    expect: { value: 1 },
  },
  {
    id: "console-long",
    tries: "a console line of 10 MB",
    mod: "export default () => { console.log('x'.repeat(1e7)); return 1; };",
    expect: { value: 1 },
  },
  {
    id: "hostile-console",
    tries: "getters, `toString` and cycles in a console line: none of it runs",
    mod: `export default () => {
      const o: any = { get a() { for (;;); }, toString() { for (;;); }, [Symbol.toPrimitive]() { for (;;); } };
      o.self = o; console.log(o); return 1; };`,
    expect: { value: 1 },
  },
  {
    id: "looping-proxy-console",
    tries: "a proxy that loops in a console line",
    mod: "export default () => { console.log(new Proxy({}, { ownKeys() { for (;;); }, get() { for (;;); } })); return 1; };",
    budgetMs: 150,
    expect: timeout,
  },
];

const callProbes: ModProbe[] = [
  {
    id: "denied-operation",
    tries: "a host operation that was not granted",
    mod: returns("host.call('secret')"),
    expect: { code: "host_operation_denied" },
  },
  {
    id: "prototype-operations",
    tries: "operations named `constructor`, `__proto__`, `toString`",
    mod: `export default async (_: unknown, host: any) => Promise.all(["constructor", "__proto__", "toString", "hasOwnProperty"]
      .map((name) => host.call(name).then(() => "answered", (error: any) => error.code)));`,
    expect: { value: Array(4).fill("host_operation_denied") },
  },
  {
    id: "call-flood",
    tries: "10,000 host calls at once: the host is asked 64 times",
    mod: `export default async (_: unknown, host: any) => {
      const outcomes = await Promise.all(Array.from({ length: 1e4 }, () => host.call("echo", 1).then(() => 1, () => 0)));
      return outcomes.reduce((sum: number, one: number) => sum + one, 0);
    };`,
    expect: { value: 64 },
  },
  {
    id: "large-request",
    tries: "a host request of 2 MB",
    mod: returns("host.call('echo', 'x'.repeat(2e6)).catch((error: any) => error.name)"),
    expect: { value: "TypeError" },
  },
  {
    id: "call-after-settle",
    tries: "a host call that is outstanding when the hook has settled",
    mod: "export default (_: unknown, host: any) => { host.call('echo', 1).then(() => { (globalThis as any).leaked = 1; }); return 1; };",
    expect: { value: 1 },
  },
];

/** What a hook may return, print, ask for and throw. */
export const resultProbes: ModProbe[] = [...promiseProbes, ...shapeProbes, ...textProbes, ...callProbes];
