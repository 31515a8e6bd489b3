import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";

/** What the author may do about code that asks for what no mod has. */
type Advice = string;

const sleep: Advice = 'wait with: await host.call("time.sleep", { ms: 100 })';
const askHost: Advice = "ask the host for it: host.call(NAME, INPUT), with NAME in the grants of mod.json";
const webCrypto: Advice = "there is Web Crypto in the global crypto: crypto.subtle, crypto.getRandomValues";
const bytes: Advice = "use Uint8Array, with TextEncoder and TextDecoder, toBase64 and toHex";
const ownCopy: Advice =
  "a mod has its own files alone: copy what it needs into its folder, and import that as ./NAME.ts";

/** Of Node's modules those that a mod has something else for. */
const insteadOfModule: Readonly<Record<string, Advice>> = {
  buffer: bytes,
  crypto: webCrypto,
  timers: sleep,
  "timers/promises": sleep,
};

/** Globals of browsers and of Node that code written for them reaches for. */
const insteadOfGlobal: Readonly<Record<string, Advice>> = {
  ...adviseAll(["setTimeout", "setInterval", "setImmediate"], sleep),
  ...adviseAll(["clearTimeout", "clearInterval", "clearImmediate"], "there are no timers to clear"),
  queueMicrotask: "use Promise.resolve().then(FUNCTION)",
  ...adviseAll(
    ["require", "module", "exports"],
    'write import { NAME } from "./FILE.ts": a mod is ES modules',
  ),
  ...adviseAll(["__dirname", "__filename"], "a mod has no files at run time: import JSON, or ask the host"),
  ...adviseAll(["fetch", "XMLHttpRequest", "WebSocket", "EventSource"], askHost),
  ...adviseAll(["process", "Deno", "Bun", "localStorage", "sessionStorage", "indexedDB"], askHost),
  ...adviseAll(["window", "self", "global"], "the global object is globalThis"),
  ...adviseAll(
    ["document", "navigator", "alert"],
    "there is no page: what a hook returns is for its host to show",
  ),
  Buffer: bytes,
  performance: "use Date.now()",
  ...adviseAll(["AbortController", "AbortSignal"], "a mod's host ends it, and nothing else"),
  ...adviseAll(["URL", "URLSearchParams"], "take it apart with a RegExp, or ask the host"),
};

function adviseAll(names: readonly string[], advice: Advice): Record<string, Advice> {
  return Object.fromEntries(names.map((name) => [name, advice]));
}

/** What to do about a global that is not there; undefined for a name that is most likely misspelt. */
export function adviseGlobal(name: string): Advice | undefined {
  return Object.hasOwn(insteadOfGlobal, name) ? insteadOfGlobal[name] : undefined;
}

/**
 * What to do about an import that a mod cannot have; undefined where there is nothing to say but that the file
 * is not there.
 * @param folder - the mod's
 * @param importer - the module that it is in, a path within the folder
 */
export function adviseImport(specifier: string, folder: string, importer: string): Advice | undefined {
  if (isBuiltin(specifier)) return adviseBuiltin(specifier.replace(/^\w+:/, ""));
  if (specifier === "@codex-js/mod-runner/mod") return "write import type: there is nothing but types in it";
  if (/^\.{1,2}(\/|$)/.test(specifier)) return adviseRelative(specifier, folder, importer);
  const inFolder = specifier.startsWith("/") && findMeant(folder, posix.normalize(specifier).slice(1));
  return inFolder ? writeRelative(inFolder, importer) : ownCopy;
}

function adviseBuiltin(name: string): Advice {
  const instead = Object.hasOwn(insteadOfModule, name) ? insteadOfModule[name] : undefined;
  return `mods have no Node modules; ${instead ?? askHost}`;
}

function adviseRelative(specifier: string, folder: string, importer: string): Advice | undefined {
  const path = posix.join(posix.dirname(importer), specifier.replace(/[?#].*$/, ""));
  if (path.startsWith("..")) return ownCopy;
  const meant = findMeant(folder, path);
  return meant === undefined ? undefined : writeRelative(meant, importer);
}

function writeRelative(path: string, importer: string): Advice {
  const relative = posix.relative(posix.dirname(importer), path);
  const specifier = relative.startsWith("../") ? relative : `./${relative}`;
  return `write ${JSON.stringify(specifier)}: an import is the file's own path, with its extension`;
}

const extensions = [".ts", ".mts", ".js", ".mjs", ".json"];

/** The file of the mod that `path` would be to a bundler, or to a compiler that writes JavaScript. */
function findMeant(folder: string, path: string): string | undefined {
  const candidates = [
    ...(extensions.includes(posix.extname(path)) ? [path] : []),
    ...extensions.map((extension) => path + extension),
    ...(/\.m?js$/.test(path) ? [path.replace(/js$/, "ts")] : []),
    ...extensions.map((extension) => posix.join(path, `index${extension}`)),
  ];
  return candidates.find((candidate) => existsSync(join(folder, candidate)));
}

/** A place in a mod, with lines and columns from 1. */
interface Place {
  module: string;
  line: number;
  column: number;
}

/** The text that an import at this place names; undefined where there is none, and outside the mod. */
export function readSpecifier(folder: string, { module, line, column }: Place): string | undefined {
  const path = join(folder, module);
  if (posix.normalize(module).startsWith("..") || !existsSync(path)) return undefined;
  const text = readFileSync(path, "utf8")
    .split(/\r\n|[\n\r\u2028\u2029]/)
    [line - 1]?.slice(column - 1);
  return text?.match(/^(["'])(.*?)\1/)?.[2];
}
