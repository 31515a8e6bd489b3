import type { RequestOptions } from "../app-server/connection.ts";
import type { MethodParams, MethodResult } from "../app-server/protocol.ts";
import type { CodexClient } from "./codex-client.ts";

/** What can be asked about models. */
export class ModelMethods {
  readonly #client: CodexClient;

  /** @internal */
  constructor(client: CodexClient) {
    this.#client = client;
  }

  /** A page of the models; `nextCursor` is null on the last one. */
  list(
    params: MethodParams<"model/list"> = {},
    options?: RequestOptions,
  ): Promise<MethodResult<"model/list">> {
    return this.#client.request("model/list", params, options);
  }
}
