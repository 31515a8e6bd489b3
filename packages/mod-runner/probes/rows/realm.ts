import type { ModProbe } from "../probe.ts";

/** Makes code of a string by a function that a value leads to, and says whether that worked. */
const makeCode = `
const makeCode = (value: any): string => {
  try {
    return value.constructor.constructor("return typeof process")();
  } catch (error: any) {
    return error.name;
  }
};`;

/** A change of what every realm begins with; nobody but the mod that made it may notice. */
function poison(id: string, tries: string, statements: string): ModProbe {
  const mod = `const { log } = console;\n${statements}\nexport default (): unknown => { log({ a: [1, "x"] }); return 1; };`;
  return { id, tries, mod, expect: { value: 1 } };
}

const evalProbes: ModProbe[] = [
  { id: "eval", tries: "`eval`", mod: "export default () => eval('1')", expect: { code: "mod_error" } },
  {
    id: "indirect-eval",
    tries: "indirect `eval`",
    mod: "export default () => (0, eval)('1')",
    expect: { code: "mod_error" },
  },
  {
    id: "function",
    tries: "`new Function`",
    mod: "export default () => new Function('return 1')()",
    expect: { code: "mod_error" },
  },
  {
    id: "reflect-construct-function",
    tries: "`Function` by `Reflect.construct`",
    mod: "export default () => Reflect.construct(Function, ['return 1'])()",
    expect: { code: "mod_error" },
  },
  {
    id: "async-function",
    tries: "the constructor of async functions",
    mod: "export default () => (async () => {}).constructor('return 1')()",
    expect: { code: "mod_error" },
  },
  {
    id: "generator-function",
    tries: "the constructor of generators",
    mod: "export default () => (function* () {}).constructor('yield 1')().next().value",
    expect: { code: "mod_error" },
  },
  {
    id: "async-generator-function",
    tries: "the constructor of async generators",
    mod: "export default async () => (await (async function* () {}).constructor('yield 1')().next()).value",
    expect: { code: "mod_error" },
  },
];

const hostValueProbes: ModProbe[] = [
  {
    id: "constructor-of-host-values",
    tries:
      "`constructor.constructor` of the input, `host.call`, its promise, its value, its error, the console",
    mod: `${makeCode}
      export default async (input: any, host: any) => {
        const promise = host.call("echo", { a: 1 });
        const values = [input, host.call, promise, await promise, console, console.log];
        for (const name of ["fails", "secret"]) values.push(await host.call(name).catch((error: unknown) => error));
        return values.map(makeCode);
      };`,
    expect: { value: Array(8).fill("EvalError") },
  },
  {
    id: "constructor-of-globals",
    tries: "`constructor.constructor` of every global",
    mod: `${makeCode}
      export default () => {
        const names = Object.getOwnPropertyNames(globalThis).filter((name) => !["undefined", "Infinity", "NaN"].includes(name));
        return names.filter((name) => !["EvalError", "TypeError"].includes(makeCode((globalThis as any)[name])));
      };`,
    expect: { value: [] },
  },
  {
    id: "foreign-prototypes",
    tries: "a prototype of another realm, anywhere in a host's value or error",
    mod: `
      const own = new Set<unknown>([Object, Array, Function, Promise, Error].map((kind) => kind.prototype).concat([null] as any));
      const isForeign = (value: any): boolean => {
        for (let at = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) if (!own.has(at)) return true;
        return false;
      };
      export default async (input: any, host: any) => {
        const promise = host.call("echo", [{ a: [] }]);
        const value: any = await promise;
        const error = await host.call("fails").catch((error: unknown) => error);
        return [input, host, host.call, promise, value, value[0], value[0].a, error, console.log].filter(isForeign).length;
      };`,
    expect: { value: 0 },
  },
  {
    id: "host-error",
    tries: "what a host's error carries beside code and message",
    mod: `export default async (_: unknown, host: any) => {
        const error: any = await host.call("fails").catch((error: unknown) => error);
        return [Object.getOwnPropertyNames(error).sort(), /\\/|\\\\/.test(String(error.stack).replaceAll("main.ts", ""))];
      };`,
    expect: { value: [["code", "message", "name", "stack"], false] },
  },
  {
    id: "host-object",
    tries: "changes of the host object",
    mod: `export default (_: unknown, host: any) => [
        Reflect.set(host, "call", 1), Reflect.defineProperty(host, "x", { value: 1 }),
        Reflect.setPrototypeOf(host, {}), Reflect.deleteProperty(host, "call"),
      ];`,
    expect: { value: [false, false, false, false] },
  },
];

const importProbes: ModProbe[] = [
  {
    id: "import-call",
    tries: "`import()` of a module of Node's, of its own, of a data URL; and whose error that is",
    mod: `export default async () => {
        const outcomes: unknown[] = [];
        for (const name of ["node:fs", "./main.ts", "data:text/javascript,export default 1"]) {
          outcomes.push(await import(name).then(() => "imported", (error: unknown) => error instanceof TypeError));
        }
        return outcomes;
      };`,
    expect: { value: [true, true, true] },
  },
  {
    id: "import-source",
    tries: "`import.source()`",
    mod: { "main.js": "export default () => import.source('./main.js')" },
    entry: "main.js",
    expect: { code: ["mod_error", "mod_syntax_error"] },
  },
  {
    id: "import-defer",
    tries: "`import.defer()`",
    mod: { "main.js": "export default () => import.defer('./main.js')" },
    entry: "main.js",
    expect: { code: ["mod_error", "mod_syntax_error"] },
  },
  {
    id: "static-import-phases",
    tries: "`import source` and `import defer` as statements",
    mod: { "main.js": "import defer * as x from './main.js'; export default () => 1" },
    entry: "main.js",
    expect: { code: ["mod_import_refused", "mod_syntax_error"] },
  },
  {
    id: "import-meta",
    tries: "what `import.meta` tells",
    mod: "export default () => [Object.keys(import.meta), Object.getPrototypeOf(import.meta)]",
    expect: { value: [[], null] },
  },
  {
    id: "globals",
    tries:
      "globals that lead out: `process`, `require`, `fetch`, timers, workers, `WebAssembly`, `ShadowRealm`, …",
    mod: `export default () => ["WebAssembly", "ShadowRealm", "process", "require", "module", "global", "Buffer", "Deno",
        "Bun", "fetch", "WebSocket", "gc", "d8", "Worker", "setTimeout", "setImmediate", "queueMicrotask", "native", "realm",
        "runner"].filter((name) => name in globalThis);`,
    expect: { value: [] },
  },
  {
    id: "shadow-realm",
    tries: "a `ShadowRealm`",
    mod: "export default () => new (globalThis as any).ShadowRealm().evaluate('1')",
    expect: { code: "mod_error" },
  },
  {
    id: "wait-async",
    tries: "`Atomics.waitAsync`, which would outlive the callback",
    mod: "export default () => 'waitAsync' in Atomics",
    expect: { value: false },
  },
];

const stackProbes: ModProbe[] = [
  {
    id: "prepare-stack-trace",
    tries: "`Error.prepareStackTrace`, and `getThis` of the call sites that it gets",
    mod: `
      let sites: any;
      (Error as any).prepareStackTrace = (_: unknown, given: unknown) => { sites = given; return "mine"; };
      export default (): unknown => { void new Error("x").stack; return sites === undefined ? "no call sites" : sites.map((site: any) => typeof site.getThis()); };`,
    expect: { value: "no call sites" },
  },
  {
    id: "callee",
    tries: "`arguments.callee`",
    mod: "export default () => (function () { return typeof (arguments as any).callee; })()",
    expect: { code: "mod_error" },
  },
  {
    id: "caller",
    tries: "`caller` and `arguments` of the host's function",
    mod: `export default (_: unknown, host: any) => ["caller", "arguments"].map((name) => {
        try { return typeof host.call[name]; } catch (error: any) { return error.name; }
      });`,
    expect: { value: ["TypeError", "TypeError"] },
  },
];

const poisonProbes: ModProbe[] = [
  poison(
    "poisoned-object",
    "accessors on `Object.prototype`",
    "Object.assign(Object.prototype, { polluted: 1, get: () => 1 });",
  ),
  poison(
    "poisoned-then",
    "a throwing `then` on `Object.prototype`",
    "Object.defineProperty(Object.prototype, 'then', { get() { throw new Error('then'); } });",
  ),
  poison(
    "poisoned-iterator",
    "`Array.prototype[Symbol.iterator]`",
    "(Array.prototype as any)[Symbol.iterator] = function* () { yield 'poison'; };",
  ),
  poison(
    "poisoned-array",
    "`push` and `join` of arrays",
    "Array.prototype.push = Array.prototype.join = () => { throw 1; };",
  ),
  poison("poisoned-promise", "`Promise.prototype.then`", "Promise.prototype.then = () => { throw 1; };"),
  poison("poisoned-json", "`JSON`", "JSON.stringify = JSON.parse = () => 'poison';"),
  poison(
    "poisoned-function",
    "`call`, `bind` and `apply`",
    "Function.prototype.call = Function.prototype.bind = Function.prototype.apply = () => 1;",
  ),
  poison(
    "poisoned-reflection",
    "`Reflect`, `Object.getOwnPropertyDescriptor`, `String.prototype.slice`",
    "Reflect.ownKeys = Reflect.apply = Object.getOwnPropertyDescriptor = String.prototype.slice = () => { throw 1; };",
  ),
  poison(
    "frozen-realm",
    "a frozen global object",
    "Object.freeze(Object.prototype); Object.freeze(globalThis);",
  ),
  {
    id: "deleted-globals",
    tries: "every global deleted",
    mod: `for (const key of Object.getOwnPropertyNames(globalThis)) try { delete (globalThis as any)[key]; } catch {}
      export default async () => { await null; return [typeof Promise, { a: 1 }]; };`,
    expect: { value: ["undefined", { a: 1 }] },
  },
  {
    id: "replaced-globals",
    tries: "every global replaced",
    mod: `for (const key of Object.getOwnPropertyNames(globalThis)) try { (globalThis as any)[key] = () => { throw 1; }; } catch {}
      export default async () => { await null; return [typeof Promise, { a: 1 }]; };`,
    expect: { value: ["function", { a: 1 }] },
  },
  {
    id: "to-json",
    tries: "`toJSON` on `Object.prototype`: the mod's own result is its own affair",
    mod: "(Object.prototype as any).toJSON = () => 'mine'; export default () => ({ a: 1 });",
    expect: { value: "mine" },
  },
];

const stateProbes: ModProbe[] = [
  poison(
    "global-state",
    "a global and a symbol of the registry left for the next callback",
    "(globalThis as any).leaked = Symbol.for('leaked');",
  ),
  {
    id: "late-microtask",
    tries: "a microtask left for the next callback",
    mod: "export default () => ({ toJSON() { Promise.resolve().then(() => { (globalThis as any).leaked = 1; }); return 1; } })",
    expect: { value: 1 },
  },
  {
    id: "kept-host-object",
    tries: "a call of the host from a microtask after the answer",
    mod: "export default (_: unknown, host: any) => ({ toJSON() { Promise.resolve().then(() => host.call('echo', 1)); return 1; } })",
    expect: { value: 1 },
  },
];

/** What a mod can reach from its realm. */
export const realmProbes: ModProbe[] = [
  ...evalProbes,
  ...hostValueProbes,
  ...importProbes,
  ...stackProbes,
  ...poisonProbes,
  ...stateProbes,
];
