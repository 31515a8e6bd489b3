/** What a mod may ask of the benchmark's host, by name. Equal questions get equal answers. */
export type HostOperations = Record<string, (input: unknown) => unknown>;

const kinds = ["feat", "fix(parser)", "perf", "docs", "feat!"];
const commits = Array.from({ length: 200 }, (_, index) => ({
  hash: index.toString(16).padStart(40, "0"),
  subject: `${kinds[index % kinds.length]}: change number ${index}, with a few words of what it does`,
}));

export const benchOperations: HostOperations = {
  "git.branch": () => "main",
  "git.changes": () => ({ added: 12, deleted: 3 }),
  "git.log": () => commits,
  "secrets.pseudonymKey": () => "07".repeat(32),
};
