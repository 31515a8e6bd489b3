import {
  type OperationDescription,
  type Parameter,
  readDescription,
  resolveReference,
} from "./read-description.ts";

/** One operation of the API, such as `repos/create-release`. */
export interface Operation {
  id: string;
  method: string;
  /** With `{…}` for its parameters. */
  path: string;
  parameters: readonly Parameter[];
  description: OperationDescription;
  /** On the host for uploads and not on the API's. */
  isUpload: boolean;
  pattern: RegExp;
}

export interface Match {
  operation: Operation;
  /** Decoded. */
  pathValues: Record<string, string>;
}

let operations: Operation[] | undefined;

/** The operation that a request is for; the more literal path wins, `latest` before `{release_id}`. */
export function findOperation(method: string, path: string, isUpload: boolean): Match | undefined {
  operations ??= listOperations();
  for (const operation of operations) {
    if (operation.method !== method || operation.isUpload !== isUpload) continue;
    const found = operation.pattern.exec(path);
    if (found === null) continue;
    const values = found.slice(1).map(decodeURIComponent);
    const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!);
    return { operation, pathValues: Object.fromEntries(names.map((name, index) => [name, values[index]!])) };
  }
  return undefined;
}

function listOperations(): Operation[] {
  const all = Object.entries(readDescription().paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, description]) => createOperation(path, method, description)),
  );
  return all.sort((a, b) => countParameters(a.path) - countParameters(b.path));
}

function createOperation(path: string, method: string, description: OperationDescription): Operation {
  const parameters = (description.parameters ?? []).map((each) => resolveReference<Parameter>(each));
  return {
    id: description.operationId,
    method: method.toUpperCase(),
    path,
    parameters,
    description,
    isUpload: description.servers?.some(({ url }) => url.includes("//uploads.")) ?? false,
    pattern: createPattern(path, parameters),
  };
}

function createPattern(path: string, parameters: readonly Parameter[]): RegExp {
  const source = path.split(/(\{[^}]+\})/).map((part) => {
    if (!part.startsWith("{")) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const parameter = parameters.find(({ name }) => name === part.slice(1, -1));
    return parameter?.["x-multi-segment"] === true ? "(.+)" : "([^/]+)";
  });
  return new RegExp(`^${source.join("")}$`);
}

function countParameters(path: string): number {
  return path.split("{").length - 1;
}
