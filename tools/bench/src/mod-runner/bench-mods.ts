import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ModIdentity } from "./protocol.ts";
import type { TurnRequest } from "./runner-client.ts";

/** A mod that the runners run, and what it is asked. */
export interface BenchMod {
  /** The group of its samples. */
  name: string;
  mod: ModIdentity;
  modules: Record<string, string>;
  /** The module with its hook, and the export. */
  module: string;
  export: string;
  input: unknown;
}

/** Generous: nothing here is meant to reach it. */
const budgetMs = 30_000;

export const statusLine: BenchMod = {
  ...readMod("status-line"),
  export: "default",
  input: {
    model: "gpt-5",
    directory: "/srv/work/東京/codex-js",
    columns: 60,
    usedTokens: 93_000,
    contextTokens: 272_000,
  },
};

const textFilter: BenchMod = {
  ...readMod("text-filter"),
  export: "default",
  input: { messages: createMessages(24) },
};

export const taskList: BenchMod = {
  ...readMod("task-list"),
  export: "render",
  input: { columns: 72, tasks: createTasks(12) },
};

/** Not among the others: a runner without Web Crypto cannot run it. */
export const privacy: BenchMod = {
  ...readMod("privacy"),
  export: "default",
  input: { messages: createMessages(24), key: Buffer.alloc(32, 7).toString("base64") },
};

/** The same mod, but nothing of it asks for Web Crypto. */
export const privacyWithoutCrypto: BenchMod = {
  ...privacy,
  name: "privacy, without crypto",
  input: { messages: createMessages(24), key: null },
};

export const benchMods: readonly BenchMod[] = [statusLine, textFilter, taskList];

/** A callback; `modules` of a mod that the runner has already may be left out. */
export function askCallback(
  { mod, modules, module, export: name, input }: BenchMod,
  more: { isKnown?: boolean; caches?: Record<string, string>; wantCaches?: boolean } = {},
): TurnRequest {
  const { isKnown = false, ...cacheFields } = more;
  const files = isKnown ? {} : { modules };
  return { type: "callback", mod, ...files, hook: { module, export: name }, input, budgetMs, ...cacheFields };
}

export function askLoad({ mod, modules, module }: BenchMod): TurnRequest {
  return { type: "load", mod, modules, module, budgetMs };
}

export function askRender({ export: name, input }: BenchMod): TurnRequest {
  return { type: "render", export: name, input, budgetMs };
}

function readMod(folder: string): Pick<BenchMod, "name" | "mod" | "modules" | "module"> {
  const dir = join(import.meta.dirname, "mods", folder);
  const files = readdirSync(dir).sort();
  const modules = Object.fromEntries(files.map((file) => [file, readFileSync(join(dir, file), "utf8")]));
  const name = folder.replaceAll("-", " ");
  return { name, mod: createIdentity(name, modules), modules, module: "main.ts" };
}

export function createIdentity(name: string, modules: Record<string, string>): ModIdentity {
  const digest = createHash("sha256").update(JSON.stringify(modules)).digest("hex");
  return { name, digest };
}

function createMessages(count: number) {
  const texts = [
    "Please write to jane.doe@example.com or call; the server 192.0.2.17 answers from /home/jane/work.",
    "The order was paid with 4111 1111 1111 1111, not with 1234 5678 9012 3456, as the log says.",
    "Use sk-abcdefghijklmnop1234 for the tests. Nothing else in this line is anybody's business, is it?",
    "Wir haben die Datei /Users/müller/notes.txt an ops@mail.example.org geschickt und auf 198.51.100.4 abgelegt.",
  ];
  return Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    text: `${texts[index % texts.length]} `.repeat(1 + (index % 3)),
  }));
}

function createTasks(count: number) {
  const states = ["done", "running", "open"];
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    title: `Task number ${index + 1}: ${"look at it again, ".repeat(index % 5)}then close it`,
    state: states[index % states.length],
  }));
}
