import semver from "semver";
import type { Manifest } from "../pack/manifest.ts";
import type { PlannedPackage, ReleasePlan } from "../plan/plan.ts";
import { formatConflict } from "../publish/conflicts.ts";
import { errorClasses } from "../publish/error-classes.ts";
import type { PublishedPackage } from "../targets/target.ts";
import type { Finding } from "./finding.ts";

export interface RegistryFacts {
  plan: ReleasePlan;
  /** Undefined before packing: the bytes cannot be compared yet. */
  manifest: Manifest | undefined;
  /** By name; undefined for a name that the registry does not know. */
  packages: ReadonlyMap<string, PublishedPackage | undefined>;
  /** Packages are published by the CI's identity alone. */
  identityOnly: boolean;
}

/** Names, versions and dist-tags: what the registry would refuse, or what it would do that nobody wants. */
export function checkRegistry(facts: RegistryFacts): Finding[] {
  return facts.plan.packages.flatMap((pkg) => {
    const there = facts.packages.get(pkg.name);
    if (there === undefined) return checkNewName(pkg, facts);
    return [
      ...checkBytes(pkg, there, facts.manifest),
      ...checkUnpublished(pkg, there),
      ...checkDistTag(pkg, there),
    ];
  });
}

function checkNewName({ name, to }: PlannedPackage, { identityOnly }: RegistryFacts): Finding[] {
  const findings: Finding[] = [];
  if (identityOnly) {
    findings.push({
      code: "CODEX_JS_RELEASE_NAME_NEW",
      subject: name,
      message:
        "the registry does not know this name, and a trusted publisher can be set up for a known one only",
      hint: 'publish a first version with a token (RELEASING.md, "The first release of a new name")',
    });
  }
  if (semver.prerelease(to) !== null) {
    findings.push({
      code: "CODEX_JS_RELEASE_PRERELEASE_AS_LATEST",
      subject: name,
      message: `the first version of a name becomes \`latest\` whatever dist-tag it has, and ${to} is a pre-release`,
      hint: 'publish a first stable version (RELEASING.md, "The first release of a new name")',
    });
  }
  return findings;
}

function checkBytes(
  { name, to }: PlannedPackage,
  there: PublishedPackage,
  manifest: Manifest | undefined,
): Finding[] {
  const pkg = manifest?.packages.find((one) => one.name === name);
  const found = there.versions[to];
  if (pkg === undefined || found === undefined || found.integrity === pkg.integrity) return [];
  const { code, remedy } = errorClasses.otherBytes;
  return [{ code, subject: name, message: formatConflict({ pkg, found }), hint: remedy }];
}

function checkUnpublished({ name, to }: PlannedPackage, there: PublishedPackage): Finding[] {
  if (!there.unpublished.includes(to)) return [];
  const { code, meaning, remedy } = errorClasses.unpublished;
  return [{ code, subject: `${name}@${to}`, message: meaning, hint: remedy }];
}

function checkDistTag({ name, to, tag }: PlannedPackage, there: PublishedPackage): Finding[] {
  const tagged = there.distTags[tag];
  if (tagged === undefined || tagged === to) return [];
  const isPublished = to in there.versions;
  // The version that a new one replaces: as it should be.
  if (!isPublished && semver.gt(to, tagged)) return [];
  return [describeMovedTag({ name, version: to, tag, tagged, isPublished })];
}

interface MovedTag {
  name: string;
  version: string;
  tag: string;
  /** The version that has the tag; undefined when none has it. */
  tagged: string | undefined;
  isPublished: boolean;
}

/** Also of a tag that is found moved once everything is published. */
export function describeMovedTag({ name, version, tag, tagged, isPublished }: MovedTag): Finding {
  const whose = tagged === undefined ? "nobody has it" : `it is ${tagged}'s`;
  return {
    code: errorClasses.distTagMoved.code,
    subject: name,
    message: isPublished
      ? `${version} is published and does not have the dist-tag \`${tag}\`: ${whose}`
      : `publishing ${version} would move the dist-tag \`${tag}\` back: ${whose}`,
    // The CI's identity may publish and nothing else; this needs a person.
    hint: isPublished
      ? `if it was moved by mistake: npm dist-tag add ${name}@${version} ${tag} (as yourself); else release from the newer commit`
      : "release a version that is higher, or make it a pre-release with a dist-tag of its own",
  };
}
