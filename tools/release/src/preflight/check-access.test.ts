import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { redact } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { readCiIdentity } from "../npm/ci-identity.ts";
import type { NpmAccess } from "../npm/npm-access.ts";
import { checkNpmAccess } from "./check-access.ts";

const context = { fetch: globalThis.fetch, signal: new AbortController().signal };

/**
 * A registry and the part of a CI that proves who a job is, as npm's own client speaks with both
 * (lib/utils/oidc.js): no real ones can be had here.
 */
async function withRegistry(
  answers: Record<string, [status: number, body: object | string]>,
  use: (url: string, seen: string[]) => Promise<void>,
): Promise<void> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const asked = `${request.method} ${decodeURIComponent(request.url ?? "")}`;
    seen.push(`${asked} as ${request.headers.authorization}`);
    const [status, body] = answers[asked] ?? [404, {}];
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(typeof body === "string" ? body : JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function access(registryUrl: string, extra: Partial<NpmAccess> = {}): NpmAccess {
  return { registryUrl, hasCredentials: false, npmrc: "", npmEnv: {}, ...extra };
}

const byToken = { hasCredentials: true, authorization: "Bearer the-token" };
const codes = (findings: { code: string; subject: string }[]) =>
  findings.map(({ code, subject }) => `${code} ${subject}`);

test("a page at the registry's address is no registry", () =>
  withRegistry({ "GET /-/whoami": [200, "<html>log in</html>"] }, async (url) => {
    await expect(checkNpmAccess(access(url, byToken), [], "11.6.0", context)).rejects.toMatchObject({
      code: "CODEX_JS_RELEASE_REGISTRY_FAILED",
    });
  }));

test("a token that the registry knows, and one that it does not know", () =>
  withRegistry({ "GET /-/whoami": [200, { username: "me" }] }, async (url, seen) => {
    expect(await checkNpmAccess(access(url, byToken), ["a"], "12.0.0", context)).toEqual([]);
    expect(seen).toEqual(["GET /-/whoami as Bearer the-token"]);
  }).then(() =>
    withRegistry({ "GET /-/whoami": [401, {}] }, async (url) => {
      expect(codes(await checkNpmAccess(access(url, byToken), ["a"], "12.0.0", context))).toEqual([
        `CODEX_JS_RELEASE_NPM_AUTH ${url}`,
      ]);
    }),
  ));

test("a registry that cannot say who a token is, is taken at its word later", () =>
  withRegistry({}, async (url) => {
    expect(await checkNpmAccess(access(url, byToken), ["a"], "12.0.0", context)).toEqual([]);
  }));

test("neither a token nor an identity", () =>
  withRegistry({}, async (url) => {
    expect(codes(await checkNpmAccess(access(url), ["a"], "12.0.0", context))).toEqual([
      `CODEX_JS_RELEASE_NPM_NO_AUTH ${url}`,
    ]);
  }));

test("each package is asked for its trusted publisher; nothing shows the tokens", () =>
  withRegistry(
    {
      "GET /id?for=job&audience=npm:127.0.0.1": [200, { value: "the-id-token" }],
      "POST /-/npm/v1/oidc/token/exchange/package/@codex-js/sdk": [201, { token: "the-exchanged-token" }],
    },
    async (url, seen) => {
      const identity = readCiIdentity({
        ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/id?for=job`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: "the-request-token",
        GITHUB_REPOSITORY: "codex-js/codex-js",
        GITHUB_TOKEN: "the-github-token",
      })!;
      expect(identity.env).not.toHaveProperty("GITHUB_TOKEN");
      expect(identity.env).toHaveProperty("GITHUB_REPOSITORY");
      const names = ["@codex-js/sdk", "@codex-js/cli"];
      const findings = await checkNpmAccess(access(url, { identity }), names, "12.0.0", context);
      expect(codes(findings)).toEqual(["CODEX_JS_RELEASE_NPM_AUTH @codex-js/cli"]);
      expect(findings[0]!.hint).toContain("trusted publisher");
      expect(seen[0]).toBe("GET /id?for=job&audience=npm:127.0.0.1 as Bearer the-request-token");
      expect(seen[1]).toBe("POST /-/npm/v1/oidc/token/exchange/package/@codex-js/sdk as Bearer the-id-token");
      const secrets = ["the-request-token", "the-id-token", "the-exchanged-token"];
      expect(secrets.map(redact)).toEqual(["***", "***", "***"]);
    },
  ));

test("an npm from before trusted publishing", () =>
  withRegistry({}, async (url, seen) => {
    const identity = readCiIdentity({ NPM_ID_TOKEN: "an-id-token" })!;
    expect(codes(await checkNpmAccess(access(url, { identity }), ["a"], "11.5.0", context))).toEqual([
      "CODEX_JS_RELEASE_NPM_TOO_OLD npm",
    ]);
    expect(seen).toEqual([]);
  }));
