import type { Access } from "./options.ts";
import type { StateStore } from "./state-store.ts";

/** Where the fake is reached, without slashes at the ends. */
export interface Urls {
  api: string;
  uploads: string;
  /** For people: pages that are not there, and downloads that are. */
  web: string;
}

/** What all routes work on. */
export interface World {
  store: StateStore;
  urls: Urls;
  repository: { owner: string; name: string };
  commits: readonly string[] | undefined;
  protectedTags: readonly RegExp[];
  immutableReleases: boolean;
  pullRequests: readonly number[];
  rateLimit: RateLimit;
  now: () => Date;
}

export interface RateLimit {
  limit: number;
  used: number;
  /** Seconds since 1970. */
  resetAt: number;
}

/** One request that the description allows, of a client that may make it. */
export interface Call extends World {
  access: Access;
  /** Path parameters, decoded. */
  values: Record<string, string>;
  query: URLSearchParams;
  /** The parsed body; an empty object where there is none. */
  json: Record<string, unknown>;
  bytes: Buffer;
  contentType: string;
}

export interface Answer {
  status: number;
  /** Undefined for none. */
  json?: unknown;
  headers?: Record<string, string>;
}

export type Route = (call: Call) => Answer;

/** By the description's operation id. */
export type Routes = Record<string, Route>;

export function timestamp({ now }: Pick<World, "now">): string {
  return now()
    .toISOString()
    .replace(/\.\d+Z$/, "Z");
}

export function readNumber({ values }: Call, name: string): number {
  return Number(values[name]);
}
