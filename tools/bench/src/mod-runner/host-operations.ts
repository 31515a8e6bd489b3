/** What a mod may ask of the benchmark's host, by name. Equal questions get equal answers. */
export type HostOperations = Record<string, (input: unknown) => unknown>;

export const benchOperations: HostOperations = {
  "git.branch": () => ({ name: "main", ahead: 2, dirty: true }),
  "clock.time": () => ({ hours: 9, minutes: 5 }),
  "machine.battery": () => ({ percent: 83 }),
};
