import type { ManifestPackage } from "../pack/manifest.ts";

/**
 * The order of publishing, in waves: all packages of a wave may be published at the same time, and a wave
 * begins when every package of the ones before it is visible. Platform packages come as soon as they can and
 * all together; everything else comes one by one, after what it depends on.
 */
export function planWaves(packages: readonly ManifestPackage[]): ManifestPackage[][] {
  const platforms = new Set(packages.flatMap((pkg) => pkg.platforms));
  const done = new Set<string>();
  const waves: ManifestPackage[][] = [];
  let waiting = [...packages];
  while (waiting.length > 0) {
    const isReady = (pkg: ManifestPackage) =>
      pkg.dependsOn.every((name) => done.has(name) || !packages.some((one) => one.name === name));
    const ready = waiting.filter(isReady);
    const bound = ready.filter(({ name }) => platforms.has(name));
    // The plan is sorted so that something is always ready.
    const wave = bound.length > 0 ? bound : ready.slice(0, 1);
    for (const { name } of wave) done.add(name);
    waves.push(wave);
    waiting = waiting.filter((pkg) => !wave.includes(pkg));
  }
  return waves;
}
