import type { HookTarget, ModPackage } from "../package/mod-package.ts";
import type { Runner } from "../runner/runner.ts";
import type { CodeCaches } from "./code-caches.ts";

/** What every line that begins something on a runner has. */
interface LineOptions {
  id: number;
  budgetMs: number;
  runner: Runner;
  pkg: ModPackage;
  caches: CodeCaches;
}

/** The modules are the most of such a line, and as JSON already: lines are put together as text. */
export function formatCallback(options: LineOptions, hook: HookTarget, inputJson: string): string {
  return `${formatHead("callback", options)},"hook":${JSON.stringify(hook)},"input":${inputJson}}\n`;
}

export function formatLoad(options: LineOptions, module: string): string {
  return `${formatHead("load", options)},"module":${JSON.stringify(module)}}\n`;
}

export function formatRender(id: number, budgetMs: number, exported: string, inputJson: string): string {
  const head = `{"type":"render","id":${id},"budgetMs":${budgetMs}`;
  return `${head},"export":${JSON.stringify(exported)},"input":${inputJson}}\n`;
}

function formatHead(type: "callback" | "load", options: LineOptions): string {
  const { id, budgetMs, pkg } = options;
  const mod = JSON.stringify({ name: pkg.name, digest: pkg.digest });
  return `{"type":"${type}","id":${id},"budgetMs":${budgetMs},"mod":${mod}${formatModules(options)}`;
}

/** Once for each runner; it keeps them, and what it has compiled. */
function formatModules({ runner, pkg, caches }: LineOptions): string {
  if (runner.hasModules) return "";
  runner.hasModules = true;
  const modules = `,"modules":${pkg.modulesJson}`;
  if (!caches.isOn) return modules;
  const known = JSON.stringify(caches.get(pkg.digest) ?? {});
  // What has no place is compiled again.
  runner.hasCaches = known !== "{}" && Buffer.byteLength(known) <= pkg.cacheRoomBytes;
  return `${modules}${runner.hasCaches ? `,"caches":${known}` : ""},"wantCaches":true`;
}
