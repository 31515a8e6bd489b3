import type { PlainAnswer, PlainRequest } from "../fault-plan/index.ts";
import { error, notFound } from "./answers.ts";
import type { Answer, Call, Route, World } from "./call.ts";
import { checkAnswer, checkRequest } from "./description/check-exchange.ts";
import { findOperation, type Match } from "./description/operations.ts";
import { findDownload } from "./downloads.ts";
import type { Access } from "./options.ts";
import { countRequest, rateLimitHeaders } from "./rate-limit.ts";
import { assetRoutes, keepStarter } from "./routes/assets.ts";
import { commentRoutes } from "./routes/comments.ts";
import { commitRoutes } from "./routes/commits.ts";
import { gitRoutes } from "./routes/git.ts";
import { pullRequestRoutes } from "./routes/pull-requests.ts";
import { releaseRoutes } from "./routes/releases.ts";
import { redirectFormerName, repositoryRoutes, resolveNumberedPath } from "./routes/repository.ts";
import { repositoryPath } from "./shapes.ts";

const routes: Record<string, Route> = {
  ...repositoryRoutes,
  ...gitRoutes,
  ...releaseRoutes,
  ...assetRoutes,
  ...commentRoutes,
  ...commitRoutes,
  ...pullRequestRoutes,
};

export interface Desk extends World {
  tokens: Readonly<Record<string, Access>>;
  formerNames: readonly string[];
  /** Whatever was not as GitHub describes it; a test that ends with one has failed. */
  violations: string[];
}

/** One request at the API, or at the host for uploads. */
export function serve(desk: Desk, request: PlainRequest, isUpload: boolean): PlainAnswer {
  const download = isUpload ? undefined : findDownload(desk, request);
  if (download !== undefined) return download;
  const limit = countRequest(desk);
  const answer = limit ?? answerRequest(desk, request, isUpload);
  // The host for uploads has no limit to tell of.
  return toPlain(answer, isUpload ? {} : rateLimitHeaders(desk));
}

/** A request that ended within its body; only an upload leaves anything behind. */
export function serveBroken(desk: Desk, request: PlainRequest, isUpload: boolean): void {
  const { match, query } = readTarget(desk, request, isUpload);
  if (match?.operation.id !== "repos/upload-release-asset" || readAccess(desk, request) !== "write") return;
  keepStarter(createCall(desk, request, match, query, {}));
}

function answerRequest(desk: Desk, request: PlainRequest, isUpload: boolean): Answer {
  const { path, match, query } = readTarget(desk, request, isUpload);
  const former = desk.formerNames.find((name) => isBelow(path, `/repos/${name}`));
  if (former !== undefined) return redirectFormerName(desk, request.method, path, former);
  if (match === undefined) return refuse(desk, [`there is no operation ${request.method} ${path}`]);
  const refusal = refuseAccess(desk, request, path);
  if (refusal !== undefined) return refusal;
  const { problems, json } = readRequest(request, match, query);
  if (problems.length > 0) return refuse(desk, problems);
  const route = routes[match.operation.id];
  if (route === undefined) return refuse(desk, [`${match.operation.id} is nothing that this fake does`]);
  const answer = route(createCall(desk, request, match, query, json));
  const wrong = checkAnswer(match.operation, answer.status, answer.json);
  desk.violations.push(...wrong);
  return wrong.length === 0 ? answer : error(500, wrong.join("\n"));
}

function readTarget(desk: Desk, request: PlainRequest, isUpload: boolean) {
  const url = new URL(request.url, desk.urls.api);
  const path = resolveNumberedPath(desk, url.pathname);
  return { path, query: url.searchParams, match: findOperation(request.method, path, isUpload) };
}

/** A client that does what is not described is as wrong as the fake would be: it gets no further. */
function refuse(desk: Desk, problems: string[]): Answer {
  desk.violations.push(...problems);
  return error(400, problems.join("\n"));
}

function refuseAccess(desk: Desk, request: PlainRequest, path: string): Answer | undefined {
  const access = readAccess(desk, request);
  if (access === "unknown") return error(401, "Bad credentials");
  const isOurs = !path.startsWith("/repos/") || isBelow(path, repositoryPath(desk));
  if (!isOurs || access === "hidden") return notFound;
  if (request.method === "GET" || access === "write") return undefined;
  if (access === "nobody") return error(401, "Requires authentication");
  return error(403, "Resource not accessible by personal access token");
}

function readAccess({ tokens }: Desk, { headers }: PlainRequest): Access | "nobody" | "unknown" {
  if (headers.authorization === undefined) return "nobody";
  const token = /^(?:token|bearer) (.+)$/i.exec(headers.authorization)?.[1] ?? "";
  return Object.hasOwn(tokens, token) ? tokens[token]! : "unknown";
}

function readRequest(request: PlainRequest, match: Match, query: URLSearchParams) {
  const contentType = request.headers["content-type"];
  const isBodyEmpty = request.body.length === 0;
  const problems: string[] = [];
  if (request.headers["user-agent"] === undefined) problems.push("user-agent is missing");
  let json: unknown;
  if (!isBodyEmpty && contentType?.includes("json") === true) {
    try {
      json = JSON.parse(request.body.toString("utf8"));
    } catch {
      problems.push("the body is no JSON");
    }
  }
  problems.push(...checkRequest(match, { query, contentType, json, isBodyEmpty }));
  return { problems, json };
}

function createCall(
  desk: Desk,
  request: PlainRequest,
  { pathValues }: Match,
  query: URLSearchParams,
  json: unknown,
): Call {
  const access = readAccess(desk, request);
  return {
    ...desk,
    access: access === "write" ? access : "read",
    values: pathValues,
    query,
    json: (json ?? {}) as Record<string, unknown>,
    bytes: request.body,
    contentType: request.headers["content-type"] ?? "application/octet-stream",
  };
}

function isBelow(path: string, start: string): boolean {
  const [lower, prefix] = [path.toLowerCase(), start.toLowerCase()];
  return lower === prefix || lower.startsWith(`${prefix}/`);
}

function toPlain({ status, json, headers }: Answer, limits: Record<string, string>): PlainAnswer {
  const common = { "x-github-media-type": "github.v3; format=json", ...limits, ...headers };
  if (json === undefined) return { status, headers: common, body: Buffer.alloc(0) };
  const body = Buffer.from(JSON.stringify(json));
  return { status, headers: { "content-type": "application/json; charset=utf-8", ...common }, body };
}
