import type { Answer, RateLimit, Routes, World } from "../call.ts";
import { repositoryPath, showRepository } from "../shapes.ts";

/** Stands for the repository whatever it is called. */
const repositoryId = 1000;

export const repositoryRoutes: Routes = {
  "repos/get": (call) => ({ status: 200, json: showRepository(call, call.access === "write") }),
  "rate-limit/get": ({ rateLimit }) => {
    const core = showRateLimit(rateLimit);
    const { resource: _, ...rate } = core;
    return { status: 200, json: { resources: { core, search: { ...core, resource: "search" } }, rate } };
  },
};

function showRateLimit({ limit, used, resetAt }: RateLimit) {
  return { limit, used, remaining: Math.max(0, limit - used), reset: resetAt, resource: "core" };
}

/** GitHub keeps a redirect from every name that a repository has had. */
export function redirectFormerName(world: World, method: string, path: string, formerName: string): Answer {
  const rest = path.slice(`/repos/${formerName}`.length);
  const url = `${world.urls.api}/repositories/${repositoryId}${rest}`;
  return {
    status: method === "GET" ? 301 : 307,
    json: {
      message: "Moved Permanently",
      url,
      documentation_url: "https://docs.github.com/v3/#http-redirects",
    },
    headers: { location: url },
  };
}

/** The path by the repository's name of one by its number. */
export function resolveNumberedPath(world: World, path: string): string {
  const prefix = `/repositories/${repositoryId}`;
  const isNumbered = path === prefix || path.startsWith(`${prefix}/`);
  return isNumbered ? `${repositoryPath(world)}${path.slice(prefix.length)}` : path;
}
