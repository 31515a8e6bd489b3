/** What probes may ask of their host. `secret` is asked for by the mod and not granted. */
const askedOperations = ["echo", "fails", "pause", "secret"];

/** The manifest of a probe's mod: the hook `probe` is its own, `healthy` looks for traces of it. */
export function manifestText(entry: string, hasHealthy = false): string {
  return JSON.stringify({
    name: "probe",
    version: "1.0.0",
    protocol: "1",
    hooks: { probe: entry, ...(hasHealthy ? { healthy: healthyPath } : {}) },
    grants: askedOperations,
  });
}

export const healthyPath = "healthy.ts" as const;
export const healthyInput = { x: 21 };

/** What a callback in a clean realm finds: the input, no trace of an earlier callback, a language that works. */
export const healthyValue = [42, [], "1,2"];

export const healthySource = `
const known = new Set(Object.getOwnPropertyNames(Object.prototype));
export default async ({ x }: { x: number }): Promise<unknown> => {
  await null;
  const traces = [
    ...["leaked", "polluted", "runner", "ready"].filter((name) => name in globalThis),
    ...["polluted", "toJSON", "then", "get"].filter((name) => known.has(name)),
    ...(Array.prototype[Symbol.iterator].name === "values" ? [] : ["iterator"]),
    ...(Object.isFrozen(Object.prototype) || Object.isFrozen(globalThis) ? ["frozen"] : []),
    ...(typeof Promise.prototype.then === "function" && JSON.parse("1") === 1 ? [] : ["builtins"]),
  ];
  return [x * 2, traces, [1, 2].join()];
};
`;
