import { deviations } from "./deviations.ts";
import type { Match, Operation } from "./operations.ts";
import { type Parameter, resolveReference, type Schema } from "./read-description.ts";
import { type Check, createCheck } from "./schemas.ts";

export interface DescribedRequest {
  query: URLSearchParams;
  contentType: string | undefined;
  /** Parsed; undefined where there is none, or where it is a file. */
  json: unknown;
  isBodyEmpty: boolean;
}

const checks = new Map<string, Check>();
const anything: Check = () => [];

/** What is wrong with a request by the description; empty when nothing is. */
export function checkRequest({ operation, pathValues }: Match, request: DescribedRequest): string[] {
  return [
    ...operation.parameters.flatMap((parameter) =>
      checkParameter(operation, parameter, readValue(parameter, pathValues, request)),
    ),
    ...[...request.query.keys()]
      .filter((name) => !operation.parameters.some((each) => each.in === "query" && each.name === name))
      .map((name) => `the query has ${name}, which the operation does not know`),
    ...checkBody(operation, request),
  ].map((problem) => `request of ${operation.id}: ${problem}`);
}

/** What is wrong with an answer by the description; empty when nothing is. */
export function checkAnswer(operation: Operation, status: number, json: unknown): string[] {
  const problems = findAnswerCheck(operation, status)(json);
  return problems.map((problem) => `answer ${status} of ${operation.id}: ${problem}`);
}

function readValue(
  parameter: Parameter,
  pathValues: Record<string, string>,
  { query }: DescribedRequest,
): string | undefined {
  return parameter.in === "path" ? pathValues[parameter.name] : (query.get(parameter.name) ?? undefined);
}

function checkParameter(operation: Operation, parameter: Parameter, text: string | undefined): string[] {
  if (parameter.in === "header") return [];
  const { name } = parameter;
  if (text === undefined) return parameter.required === true ? [`${name} is missing`] : [];
  const value = readsAsJson(parameter.schema) ? parseJson(text) : text;
  const check = findCheck(`${operation.id} ${name}`, parameter.schema);
  return check(value).map((problem) => `${name}=${text}: ${problem}`);
}

function readsAsJson({ type }: Schema): boolean {
  return type === "integer" || type === "number" || type === "boolean";
}

function checkBody(operation: Operation, { contentType, json, isBodyEmpty }: DescribedRequest): string[] {
  const { requestBody } = operation.description;
  if (requestBody === undefined) return isBodyEmpty ? [] : ["it has a body, the operation takes none"];
  if (isBodyEmpty) return requestBody.required === true ? ["the body is missing"] : [];
  if ((deviations.anyMediaTypeOperations as readonly string[]).includes(operation.id)) {
    return contentType === undefined ? ["content-type is missing"] : [];
  }
  const mediaType = contentType?.split(";")[0];
  const content = mediaType === undefined ? undefined : requestBody.content[mediaType];
  if (content === undefined) {
    return [`content-type is ${contentType}, expected ${Object.keys(requestBody.content).join(" or ")}`];
  }
  return findCheck(`${operation.id} body`, content.schema)(json).map((problem) => `body ${problem}`);
}

function findAnswerCheck(operation: Operation, status: number): Check {
  const key = `${operation.id} ${status}`;
  const described = operation.description.responses[status];
  if (described !== undefined) {
    const { content } = resolveReference(described);
    const schema = content?.["application/json"]?.schema;
    return schema === undefined ? createBodilessCheck(status) : findCheck(key, schema);
  }
  if ((deviations.commonErrorStatuses as readonly number[]).includes(status)) {
    return findCheck("basic-error", { $ref: "#/components/schemas/basic-error" });
  }
  return () => ["the operation has no such status"];
}

/** Some errors are described without their body; GitHub sends one all the same. */
function createBodilessCheck(status: number): Check {
  if (status >= 400) return anything;
  return (json) => (json === undefined ? [] : ["it has a body, the description has none"]);
}

function findCheck(key: string, schema: Schema | undefined): Check {
  const known = checks.get(key) ?? (schema === undefined ? anything : createCheck(schema));
  checks.set(key, known);
  return known;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
