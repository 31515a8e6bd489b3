import type { FakeGithub } from "../src/fake-github/index.ts";

/** What GitHub has added since the recordings were made. */
const newerKeys = new Set(["immutable", "digest"]);
/** Numbers, times and counts of that day, and what stands for people. */
const variable =
  /(^|_)(id|at|url|count|date)$|^(author|uploader|owner|organization|permissions|license|sha)$|^(size|request_id)$/;

/** Where an answer of the fake is not what was recorded: missing or additional keys, other types, other values. */
export function compareAnswers(recorded: unknown, actual: unknown, github: FakeGithub): string[] {
  return compare(recorded, actual, "", createNormaliser(github));
}

type Normalise = (url: string) => string;

function compare(recorded: unknown, actual: unknown, path: string, normalise: Normalise): string[] {
  if (kindOf(recorded) !== kindOf(actual))
    return [`${path}: ${kindOf(actual)}, recorded ${kindOf(recorded)}`];
  if (Array.isArray(recorded)) {
    const items = actual as unknown[];
    if (items.length !== recorded.length)
      return [`${path}: ${items.length} items, recorded ${recorded.length}`];
    return recorded.flatMap((item, index) => compare(item, items[index], `${path}/${index}`, normalise));
  }
  if (typeof recorded === "object" && recorded !== null) {
    return compareObjects(recorded as Fields, actual as Fields, path, normalise);
  }
  const [one, other] = [recorded, actual].map((each) => (typeof each === "string" ? normalise(each) : each));
  return one === other ? [] : [`${path}: ${other}, recorded ${one}`];
}

type Fields = Record<string, unknown>;

function compareObjects(recorded: Fields, actual: Fields, path: string, normalise: Normalise): string[] {
  const added = Object.keys(actual).filter((key) => !(key in recorded) && !newerKeys.has(key));
  const missing = Object.keys(recorded).filter((key) => !(key in actual));
  return [
    ...added.map((key) => `${path}/${key}: not recorded`),
    ...missing.map((key) => `${path}/${key}: missing`),
    ...Object.keys(recorded)
      .filter((key) => key in actual)
      .flatMap((key) => {
        if (key.endsWith("url")) return compare(recorded[key], actual[key], `${path}/${key}`, normalise);
        if (!variable.test(key)) return compare(recorded[key], actual[key], `${path}/${key}`, normalise);
        return kindOf(recorded[key]) === kindOf(actual[key])
          ? []
          : [`${path}/${key}: ${kindOf(actual[key])}`];
      }),
  ];
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** Addresses without host and numbers. */
function createNormaliser({ apiUrl, uploadUrl }: FakeGithub): Normalise {
  const hosts: [string, string][] = [
    [`${apiUrl}/web`, "WEB"],
    [apiUrl, "API"],
    [uploadUrl, "UPLOADS"],
    ["https://api.github.com", "API"],
    ["https://uploads.github.com", "UPLOADS"],
    ["https://github.com", "WEB"],
  ];
  return (text) =>
    hosts
      .reduce((result, [host, name]) => result.replaceAll(host, name), text)
      .replace(/\/(releases|assets)\/\d+/g, "/$1/ID");
}
