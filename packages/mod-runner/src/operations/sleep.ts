import { type HostOperation, HostOperationError } from "./host-operation.ts";

export const sleepOperation = "time.sleep";

/** `host.call("time.sleep", { ms })`. Ends with the callback at the latest, so the budget bounds it. */
export const sleep: HostOperation = (input, { signal }) => {
  const ms = (input as { ms?: unknown } | null)?.ms;
  if (typeof ms !== "number" || !(ms >= 0)) {
    throw new HostOperationError("invalid_input", "time.sleep takes { ms }, a number of milliseconds");
  }
  return new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    // A longer time than a timer can have ends at once; the callback does not live as long.
    const timer = setTimeout(end, Math.min(ms, 2 ** 31 - 1));
    signal.addEventListener("abort", end);
  });
};
