export interface Found {
  kind: string;
  value: string;
  /** Index in the text. */
  at: number;
}

/** None of them can backtrack for long: every repetition is bounded, or ends where the next part begins. */
const patterns: Record<string, RegExp> = {
  email: /\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}\b/g,
  key: /\b(?:sk|ghp|xoxb)[-_][A-Za-z0-9_-]{16,128}\b/g,
  ipv4: /\b(?:\d{1,3}\.){3}\d{1,3}\b/g,
  card: /\b(?:\d[ -]?){12,18}\d\b/g,
};

/** In the text's order; where two overlap, the earlier and then the longer one. */
export function findPrivate(text: string): Found[] {
  const all = Object.entries(patterns).flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].map((match): Found => ({ kind, value: match[0], at: match.index })),
  );
  all.sort((left, right) => left.at - right.at || right.value.length - left.value.length);
  let end = 0;
  return all.filter(({ value, at }) => {
    if (at < end) return false;
    end = at + value.length;
    return true;
  });
}
