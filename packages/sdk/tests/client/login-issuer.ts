import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface LoginIssuer extends AsyncDisposable {
  /** For an engine that is to log in here instead of at OpenAI's. */
  env: { CODEX_APP_SERVER_LOGIN_ISSUER: string; CODEX_REVOKE_TOKEN_URL_OVERRIDE: string };
  config: { chatgpt_base_url: string };
  /** How the engine asked for tokens, by grant. */
  grants: string[];
  /** How often it gave one back. */
  revoked(): number;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const createJwt = (claims: object) => `${encode({ alg: "none", typ: "JWT" })}.${encode(claims)}.c2ln`;

/** Grants a login to whoever asks: by the page that the user would see, or by a device code. */
export async function startLoginIssuer(): Promise<LoginIssuer> {
  const grants: string[] = [];
  let revoked = 0;
  const token = createJwt({
    email: "user@example.test",
    exp: Math.floor(Date.now() / 1000) + 3_600,
    "https://api.openai.com/auth": { chatgpt_account_id: "account", chatgpt_plan_type: "pro" },
  });
  const answers: Record<string, (body: URLSearchParams) => object> = {
    "/oauth/token": (body) => {
      grants.push(body.get("grant_type")!);
      return { id_token: token, access_token: token, refresh_token: "refresh" };
    },
    "/oauth/revoke": () => {
      revoked++;
      return {};
    },
    "/api/accounts/deviceauth/usercode": () => ({
      device_auth_id: "device",
      user_code: "ABCD-1234",
      interval: "0",
    }),
    "/api/accounts/deviceauth/token": () => ({
      authorization_code: "code",
      code_challenge: "challenge",
      code_verifier: "verifier",
    }),
    // Where the account's requests would go: nobody listens there.
    "/backend-api/wham/accounts/check": () => ({
      accounts: [
        { id: "account", workspace_backend_origin: "https://127.0.0.1:9", account_routing_override: "us" },
      ],
      account_ordering: ["account"],
      default_account_id: "account",
    }),
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = answers[request.url ?? ""];
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer?.(new URLSearchParams(Buffer.concat(chunks).toString())) ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { CODEX_APP_SERVER_LOGIN_ISSUER: url, CODEX_REVOKE_TOKEN_URL_OVERRIDE: `${url}/oauth/revoke` },
    config: { chatgpt_base_url: `${url}/backend-api` },
    grants,
    revoked: () => revoked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
