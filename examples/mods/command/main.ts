import type { Hook } from "@codex-js/mod-runner/mod";

export interface Input {
  /** As the user has typed them behind the command. */
  args: readonly string[];
}

export interface Output {
  exitCode: number;
  /** Markdown. */
  output: string;
}

interface Commit {
  hash: string;
  subject: string;
}

const titles: Record<string, string> = { feat: "New", fix: "Mended", perf: "Faster", other: "Other" };

export const changelog: Hook<Input, Output> = async ({ args }, host) => {
  const [since, ...rest] = args;
  if (since === undefined || rest.length > 0) return { exitCode: 2, output: "usage: /changelog TAG" };
  const commits = await host.call<Commit[]>("git.log", { since, limit: 1000 });
  if (commits.length === 0) return { exitCode: 1, output: `nothing since ${since}` };
  return { exitCode: 0, output: `# Since ${since}\n\n${formatSections(commits)}` };
};

function formatSections(commits: readonly Commit[]): string {
  const byKind = Object.groupBy(commits, ({ subject }) => readKind(subject));
  return Object.entries(titles)
    .filter(([kind]) => byKind[kind] !== undefined)
    .map(([kind, title]) => `## ${title}\n\n${byKind[kind]!.map(formatCommit).join("")}`)
    .join("\n");
}

/** `fix(parser)!: …` → `fix`, as https://www.conventionalcommits.org has it. */
function readKind(subject: string): string {
  const kind = subject.match(/^(\w+)(?:\([^)]*\))?!?: /)?.[1] ?? "other";
  return Object.hasOwn(titles, kind) ? kind : "other";
}

function formatCommit({ hash, subject }: Commit): string {
  return `- ${subject.replace(/^\w+(?:\([^)]*\))?!?: /, "")} (${hash.slice(0, 7)})\n`;
}
