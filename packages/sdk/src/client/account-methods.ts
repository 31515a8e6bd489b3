import type { RequestOptions } from "../app-server/connection.ts";
import type { MethodParams, MethodResult } from "../app-server/protocol.ts";
import type { CodexClient } from "./codex-client.ts";
import { type Login, startLogin } from "./login.ts";

/** Who the engine works for. */
export class AccountMethods {
  readonly #client: CodexClient;

  /** @internal */
  constructor(client: CodexClient) {
    this.#client = client;
  }

  /** The account, null where there is no login. */
  read(
    params: MethodParams<"account/read"> = {},
    options?: RequestOptions,
  ): Promise<MethodResult<"account/read">> {
    return this.#client.request("account/read", params, options);
  }

  /**
   * Begins a login: with an API key, which is done at once, or with ChatGPT, for which the user goes to the
   * page in `response`. The engine stores it as `cli_auth_credentials_store` says, by default in
   * `CODEX_HOME/auth.json`.
   */
  login(params: MethodParams<"account/login/start">, options?: RequestOptions): Promise<Login> {
    return startLogin(this.#client, params, options);
  }

  /** Forgets the login. */
  logout(options?: RequestOptions): Promise<MethodResult<"account/logout">> {
    return this.#client.request("account/logout", undefined, options);
  }

  /** How much of the account's limits is used. */
  readRateLimits(options?: RequestOptions): Promise<MethodResult<"account/rateLimits/read">> {
    return this.#client.request("account/rateLimits/read", undefined, options);
  }
}
