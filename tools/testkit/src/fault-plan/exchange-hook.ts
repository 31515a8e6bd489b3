/** One request at a server of the testkit. */
export interface Exchange {
  /** From 1, in the order in which requests came. */
  number: number;
  method: string;
  /** Decoded, with its query. */
  path: string;
}

/**
 * Called and awaited when a request has come (`received`) and when the server has done it but not yet
 * answered (`done`): the two moments at which a client's end makes a difference. `"drop"` breaks the
 * connection there; after `received` the server then never hears of the request.
 */
export type ExchangeHook = (
  moment: "received" | "done",
  exchange: Exchange,
) => "drop" | undefined | Promise<"drop" | undefined>;
