import type { PackageManifest, PackedTarball } from "@codex-js/pack";
import { Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";

type Dependency = [name: string, range: string];

/**
 * What a release is made of, in CycloneDX 1.6: its packages with their hashes and licences, and what a user
 * installs with each. No time and no random number stands in it.
 */
export function createSbom(version: string, tarballs: readonly PackedTarball[]): string {
  const release = new Models.Component(Enums.ComponentType.Application, "codex-js", {
    version,
    bomRef: `codex-js@${version}`,
  });
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: release }) });
  const own = new Map(tarballs.map((tarball) => [tarball.name, createOwnComponent(tarball)]));
  const outside = new Map<string, Models.Component>();
  for (const component of own.values()) {
    bom.components.add(component);
    release.dependencies.add(component.bomRef);
  }
  for (const { name, manifest } of tarballs) {
    for (const dependency of listDependencies(manifest)) {
      const found = own.get(dependency[0]) ?? addOutside(outside, dependency);
      own.get(name)!.dependencies.add(found.bomRef);
    }
  }
  for (const component of outside.values()) bom.components.add(component);
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function createOwnComponent({ name, version, manifest, sha256, integrity }: PackedTarball): Models.Component {
  const component = createComponent(name, version);
  component.hashes.set(Enums.HashAlgorithm["SHA-256"], sha256);
  const sha512 = Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex");
  component.hashes.set(Enums.HashAlgorithm["SHA-512"], sha512);
  if (manifest.license !== undefined) component.licenses.add(new Models.LicenseExpression(manifest.license));
  return component;
}

/** Which version of it is installed, the user's package manager decides. */
function addOutside(outside: Map<string, Models.Component>, [name, range]: Dependency): Models.Component {
  const key = `${name}@${range}`;
  const component = outside.get(key) ?? createComponent(name, range);
  outside.set(key, component);
  return component;
}

function createComponent(fullName: string, version: string): Models.Component {
  const [, group, name] = /^(?:(@[^/]+)\/)?(.+)$/.exec(fullName)!;
  const isExact = /^\d+\.\d+\.\d+/.test(version);
  const purl = `pkg:npm/${fullName.replace("@", "%40")}${isExact ? `@${version}` : ""}`;
  return new Models.Component(Enums.ComponentType.Library, name!, {
    version,
    bomRef: `${fullName}@${version}`,
    purl,
    ...(group === undefined ? {} : { group }),
  });
}

function listDependencies({
  dependencies,
  optionalDependencies,
  peerDependencies,
}: PackageManifest): Dependency[] {
  return Object.entries({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}
