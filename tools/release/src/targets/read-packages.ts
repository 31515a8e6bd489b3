import type { PublishedPackage, ReleaseTarget } from "./target.ts";

/** What the registry has under each name; undefined for a name that it does not know. */
export async function readPackages(
  target: ReleaseTarget,
  names: readonly string[],
): Promise<Map<string, PublishedPackage | undefined>> {
  const found = await Promise.all(names.map((name) => target.readPackage(name)));
  return new Map(names.map((name, index) => [name, found[index]]));
}
