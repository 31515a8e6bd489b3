import type { PlainAnswer } from "./exchange.ts";

/** An npm packument, as much of it as tells versions apart. */
interface Packument {
  versions: Record<string, unknown>;
  "dist-tags": Record<string, string>;
  time?: Record<string, string>;
}

/**
 * What an answer lists: a packument's versions, the ids of GitHub's list. Undefined for one that is a thing
 * by itself.
 */
export function listItems(answer: PlainAnswer): string[] | undefined {
  const json = parse(answer);
  if (Array.isArray(json)) return json.map(readId);
  return isPackument(json) ? Object.keys(json.versions) : undefined;
}

/** A packument's dist-tags; empty for anything else. */
export function readDistTags(answer: PlainAnswer): Record<string, string> {
  const json = parse(answer);
  return isPackument(json) ? json["dist-tags"] : {};
}

/**
 * The same answer without them, and with the dist-tags of before where they point to a hidden version;
 * undefined for a packument of which no version is left.
 */
export function hideItems(
  answer: PlainAnswer,
  hidden: ReadonlySet<string>,
  earlierTags: Readonly<Record<string, string>>,
): PlainAnswer | undefined {
  const json = parse(answer);
  if (Array.isArray(json)) {
    return withJson(
      answer,
      json.filter((item) => !hidden.has(readId(item))),
    );
  }
  if (!isPackument(json)) return answer;
  const versions = keepEntries(json.versions, ([version]) => !hidden.has(version));
  if (Object.keys(versions).length === 0) return undefined;
  const tags = keepEntries(json["dist-tags"], ([, version]) => !hidden.has(version));
  return withJson(answer, {
    ...json,
    versions,
    "dist-tags": { ...earlierTags, ...tags },
    ...(json.time === undefined ? {} : { time: keepEntries(json.time, ([version]) => !hidden.has(version)) }),
  });
}

function keepEntries<Value>(
  record: Record<string, Value>,
  isKept: (entry: [key: string, value: Value]) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(isKept));
}

function readId(item: unknown): string {
  const { id, ref } = (item ?? {}) as { id?: unknown; ref?: unknown };
  return String(id ?? ref ?? JSON.stringify(item));
}

function isPackument(json: unknown): json is Packument {
  return typeof json === "object" && json !== null && "versions" in json && "dist-tags" in json;
}

function parse(answer: PlainAnswer): unknown {
  if (!String(answer.headers["content-type"]).includes("json")) return undefined;
  try {
    return JSON.parse(answer.body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function withJson(answer: PlainAnswer, json: unknown): PlainAnswer {
  const body = Buffer.from(JSON.stringify(json));
  const { "content-length": _, etag: __, ...headers } = answer.headers;
  return { ...answer, headers, body };
}
