import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { findWorkspaceRoot } from "@codex-js/cli-kit";
import type { ModIdentity } from "./protocol.ts";
import type { TurnRequest } from "./runner-client.ts";

/** A mod that the runners run, and what it is asked. */
export interface BenchMod {
  /** The group of its samples. */
  name: string;
  /** Absolute. */
  folder: string;
  mod: ModIdentity;
  modules: Record<string, string>;
  /** As mod.json names it. */
  hook: string;
  /** Where it is. */
  module: string;
  export: string;
  input: unknown;
}

interface Manifest {
  hooks: Record<string, string>;
}

/** Generous: nothing here is meant to reach it. */
const budgetMs = 30_000;
const examples = join(findWorkspaceRoot(import.meta.dirname), "examples", "mods");

/** Three modules, JSON, two host operations at the same time. */
export const statusLine = readExample("status-line", "statusLine", {
  model: "gpt-5",
  folder: "/home/me/work/東京/codex-js",
  usedTokens: 93_000,
  maxTokens: 272_000,
  columns: 90,
});

/** One host operation with a large answer. */
const command = readExample("command", "changelog", { args: ["v1.2.0"] });

/** Text, regular expressions, Intl; in serve mode too. */
export const render = readExample("render", "render", {
  id: "item",
  text: createOutput(60),
  columns: 48,
});

export const benchMods: readonly BenchMod[] = [statusLine, command, render];

/** Lines of what is rendered in serve mode. The first takes about as long as the render of the published figures. */
export const renderSizes: readonly number[] = [12, 60];

/** Not among the others: a runner without Web Crypto cannot run it. */
export const privacyFilter = readExample("privacy-filter", "outgoing", { text: createOutgoing(24) });

/** HMAC and nothing else that takes long; the other of the two has a checksum in its place. */
export const pseudonyms = readOwn("pseudonyms, by HMAC", Buffer.alloc(32, 7).toString("base64"));
export const pseudonymsWithoutCrypto = readOwn("pseudonyms, by checksum", null);

/** A callback; `modules` of a mod that the runner has already may be left out. */
export function askCallback(
  {
    mod,
    modules,
    module,
    export: name,
    input,
  }: Pick<BenchMod, "mod" | "modules" | "module" | "export" | "input">,
  more: { isKnown?: boolean; caches?: Record<string, string>; wantCaches?: boolean } = {},
): TurnRequest {
  const { isKnown = false, ...cacheFields } = more;
  const files = isKnown ? {} : { modules };
  return {
    type: "callback",
    mod,
    ...files,
    hook: { module, export: name },
    input,
    budgetMs,
    ...cacheFields,
  };
}

export function askLoad({ mod, modules, module }: BenchMod): TurnRequest {
  return { type: "load", mod, modules, module, budgetMs };
}

/**
 * A render of the loaded mod.
 * @param index another for each render of a process: what the mod has seen before it need not render
 */
export function askRender({ export: name, input }: BenchMod, index: number, lines = 60): TurnRequest {
  const item = { ...(input as object), id: `item ${index}`, text: createOutput(lines) };
  return { type: "render", export: name, input: item, budgetMs };
}

export function createIdentity(name: string, modules: Record<string, string>): ModIdentity {
  const digest = createHash("sha256").update(JSON.stringify(modules)).digest("hex");
  return { name, digest };
}

function readExample(name: string, hook: string, input: unknown): BenchMod {
  const folder = join(examples, name);
  const { "mod.json": manifest, ...modules } = readFiles(folder);
  const { hooks } = JSON.parse(manifest!) as Manifest;
  const [module = "", exported = "default"] = hooks[hook]!.split("#");
  const mod = createIdentity(name, modules);
  return { name: name.replaceAll("-", " "), folder, mod, modules, hook, module, export: exported, input };
}

function readOwn(name: string, key: string | null): BenchMod {
  const folder = join(import.meta.dirname, "mods", "pseudonyms");
  const modules = readFiles(folder);
  const input = { messages: [{ role: "user", text: createOutgoing(24) }], key };
  const mod = createIdentity(name, modules);
  return { name, folder, mod, modules, hook: "default", module: "main.ts", export: "default", input };
}

function readFiles(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.sort().map((file) => [relative(folder, file), readFileSync(file, "utf8")] as const),
  );
}

/** What a build prints. */
function createOutput(lines: number): string {
  const texts = [
    "   Compiling codex-js v0.1.0 (/home/me/work/東京/codex-js)",
    "warning: unused variable: `index`, in the module that nobody has looked at for a long time",
    "",
    "warning: unused variable: `index`, in the module that nobody has looked at for a long time",
    "warning: unused variable: `index`, in the module that nobody has looked at for a long time",
    "    Finished 👍🏽 after 12.4 s",
  ];
  return Array.from({ length: lines }, (_, index) => texts[index % texts.length]).join("\n");
}

function createOutgoing(sentences: number): string {
  const texts = [
    "Please write to jane.doe@example.com or call; the server 192.0.2.17 answers.",
    "The order was paid with 4111 1111 1111 1111, as the log says.",
    "Use sk-abcdefghijklmnop1234 for the tests. Nothing else in this line is anybody's business.",
    "Wir haben die Datei an ops@mail.example.org geschickt und auf 198.51.100.4 abgelegt.",
  ];
  return Array.from({ length: sentences }, (_, index) => texts[index % texts.length]).join("\n");
}
