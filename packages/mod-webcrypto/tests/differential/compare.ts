import type { Case } from "./case.ts";
import type { Outcomes } from "./run-cases.ts";

/** An outcome in a word: the error's name, or `value`. */
type OutcomeKind = string;

/** Differences that have one reason and look the same. */
export interface Explanation {
  readonly reason: string;
  readonly ours: OutcomeKind;
  readonly node: OutcomeKind;
  readonly cases: readonly string[];
}

export interface Comparison {
  readonly cases: number;
  readonly equal: number;
  readonly explained: number;
  /** Differences without an explanation, explanations without a difference, and outcomes of another kind. */
  readonly problems: string[];
}

export function compareOutcomes(
  cases: readonly Case[],
  ours: Outcomes,
  node: Outcomes,
  explanations: readonly Explanation[],
): Comparison {
  const problems: string[] = [];
  const open = new Map(explanations.flatMap((known) => known.cases.map((id) => [id, known])));
  let equal = 0;
  let explained = 0;
  for (const { id } of cases) {
    const known = open.get(id);
    open.delete(id);
    const pair = { ours: ours.get(id)!, node: node.get(id)! };
    if (pair.ours === pair.node) {
      equal += 1;
      if (known !== undefined) problems.push(`${id}: explained, but there is no difference`);
    } else if (known !== undefined && isAsExplained(pair, known)) {
      explained += 1;
    } else {
      problems.push(`${id}: ours ${shorten(pair.ours)}, Node's ${shorten(pair.node)}`);
    }
  }
  problems.push(...[...open.keys()].map((id) => `${id}: explained, but there is no such case`));
  return { cases: cases.length, equal, explained, problems };
}

function isAsExplained(pair: { ours: string; node: string }, known: Explanation): boolean {
  return outcomeKind(pair.ours) === known.ours && outcomeKind(pair.node) === known.node;
}

function outcomeKind(outcome: string): OutcomeKind {
  return (JSON.parse(outcome) as { error?: string }).error ?? "value";
}

function shorten(outcome: string): string {
  return outcome.length > 200 ? `${outcome.slice(0, 200)}…` : outcome;
}
