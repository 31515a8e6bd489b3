import { exitCodes, ToolError } from "@codex-js/cli-kit";

interface Ordered {
  name: string;
  dependsOn: readonly string[];
}

/**
 * Dependencies before dependents, otherwise by name, so that a package on the registry never names one that
 * is not there yet: platform packages come before the package that lists them as optional dependencies.
 * @throws ToolError CODEX_JS_RELEASE_CYCLE (usage) when packages depend on each other in a circle
 */
export function orderPackages<Item extends Ordered>(packages: readonly Item[]): Item[] {
  const waiting = packages.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const ordered: Item[] = [];
  while (waiting.length > 0) {
    const isWaiting = (name: string) => waiting.some((one) => one.name === name);
    const next = waiting.findIndex(({ dependsOn }) => !dependsOn.some(isWaiting));
    if (next === -1) throw describeCycle(waiting.map(({ name }) => name));
    ordered.push(...waiting.splice(next, 1));
  }
  return ordered;
}

function describeCycle(names: string[]): ToolError {
  return new ToolError({
    code: "CODEX_JS_RELEASE_CYCLE",
    message: `${names.join(", ")} depend on each other in a circle: none can be published before the others`,
    hint: "remove one of these dependencies, or bundle what it is needed for",
    exitCode: exitCodes.usage,
  });
}
