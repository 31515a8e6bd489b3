import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Responses that the naming rule (`XParams` → `XResponse`) does not find. The engine's generator ties
 * no method to its response type, neither in TypeScript nor in its JSON Schema.
 */
const namedByHand: Readonly<Record<string, string>> = {
  "account/gatewayOAuth/cancel": "GatewayOAuthCancelResponse",
  "account/logout": "LogoutAccountResponse",
  "account/securitySetup/read": "GetAccountSecuritySetupResponse",
  "account/workspaceMessages/read": "GetWorkspaceMessagesResponse",
  "config/batchWrite": "ConfigWriteResponse",
  "config/mcpServer/reload": "McpServerRefreshResponse",
  "config/value/write": "ConfigWriteResponse",
  "configRequirements/read": "ConfigRequirementsReadResponse",
  "externalAgentConfig/import/readHistories": "ExternalAgentConfigImportHistoriesReadResponse",
  // It answers what every other write to config.toml answers.
  "modelProvider/default/set": "ConfigWriteResponse",
  "windowsSandbox/readiness": "WindowsSandboxReadinessResponse",
};

/** The file's name in the generated folder. */
export const methodTypesFile = "MethodTypes.ts";

/**
 * Writes the maps from method to response type into a generated folder.
 * @throws Error that lists every method without a response type, every response type without a method
 *   and every entry above that no longer says anything, so that a new engine cannot slip past
 */
export async function writeMethodTypes(generatedDir: string): Promise<void> {
  const types = await readTypePaths(generatedDir);
  const client = await readMethods(join(generatedDir, "ClientRequest.ts"));
  const server = await readMethods(join(generatedDir, "ServerRequest.ts"));
  const responses = new Map<string, string>();
  const problems: string[] = [];

  for (const [method, params] of [...client, ...server]) {
    const byRule = params?.replace(/Params$/, "Response");
    const follows = byRule !== undefined && byRule !== params && types.has(byRule);
    const byHand = namedByHand[method];
    if (follows && byHand !== undefined) problems.push(`${method} follows the rule: remove it from the list`);
    const response = follows ? byRule : byHand;
    if (response === undefined || !types.has(response)) problems.push(`${method} has no response type`);
    else responses.set(method, response);
  }
  const methods = new Set([...client.keys(), ...server.keys()]);
  for (const method of Object.keys(namedByHand)) {
    if (!methods.has(method)) problems.push(`${method} is in the list but not in the protocol`);
  }
  const used = new Set(responses.values());
  for (const type of types.keys()) {
    if (type.endsWith("Response") && !used.has(type)) problems.push(`${type} answers no method`);
  }
  if (problems.length > 0) throw new Error(`response types of the protocol:\n  ${problems.join("\n  ")}`);

  await writeFile(join(generatedDir, methodTypesFile), formatMaps(client, server, responses, types));
}

/** Type name → import path relative to the generated folder. */
async function readTypePaths(generatedDir: string): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  for (const dir of [".", "v2"]) {
    for (const file of await readdir(join(generatedDir, dir))) {
      const name = /^(\w+)\.ts$/.exec(file)?.[1];
      if (name !== undefined) paths.set(name, dir === "." ? `./${name}` : `./${dir}/${name}`);
    }
  }
  return paths;
}

/** Method → the name of its params type; undefined where it has none. */
async function readMethods(file: string): Promise<Map<string, string | undefined>> {
  const text = await readFile(file, "utf8");
  const members = text.matchAll(/"method": "([^"]+)", id: RequestId, params\??: (\w+)/g);
  const methods = new Map(
    [...members].map(([, method, params]) => [method!, params === "undefined" ? undefined : params] as const),
  );
  const named = [...text.matchAll(/"method":/g)].length;
  if (named === 0 || methods.size !== named) {
    throw new Error(`${file}: ${named} methods, of which ${methods.size} could be read`);
  }
  return methods;
}

function formatMaps(
  client: ReadonlyMap<string, unknown>,
  server: ReadonlyMap<string, unknown>,
  responses: ReadonlyMap<string, string>,
  types: ReadonlyMap<string, string>,
): string {
  const imports = [...new Set(responses.values())]
    .sort()
    .map((type) => `import type { ${type} } from "${types.get(type)}";`);
  const toMap = (name: string, comment: string, methods: Iterable<string>) =>
    [
      `/** ${comment} */`,
      `export interface ${name} {`,
      ...[...methods].map((method) => `  "${method}": ${responses.get(method)};`),
      "}",
    ].join("\n");
  return `${[
    imports.join("\n"),
    toMap("ClientResponses", "What the engine answers to each request of a client.", client.keys()),
    toMap("ServerRequestResponses", "What a client answers to each request of the engine.", server.keys()),
  ].join("\n\n")}\n`;
}
