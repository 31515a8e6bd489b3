const contextLines = 3;

interface Line {
  kind: " " | "-" | "+";
  text: string;
}

/** A unified diff of two texts, as `diff -u` and `git apply` know it; empty for equal texts. */
export function formatUnifiedDiff(path: string, before: string | undefined, after: string): string {
  if (before === after) return "";
  const lines = compareLines(splitLines(before ?? ""), splitLines(after));
  const header = `--- ${before === undefined ? "/dev/null" : path}\n+++ ${path}\n`;
  return (
    header +
    cutHunks(lines)
      .map((hunk) => formatHunk(lines, hunk))
      .join("")
  );
}

/** Each with its line end. */
const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Longest common subsequence, on what is left between the equal beginning and the equal end. */
function compareLines(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before.at(-1 - end) === after.at(-1 - end)) end++;
  const [old, young] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const common = old.map(() => new Array<number>(young.length + 1).fill(0));
  common.push(new Array<number>(young.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = young.length - 1; j >= 0; j--) {
      common[i]![j] =
        old[i] === young[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
    }
  }
  const lines = before.slice(0, start).map((text): Line => ({ kind: " ", text }));
  let [i, j] = [0, 0];
  while (i < old.length || j < young.length) {
    if (i < old.length && j < young.length && old[i] === young[j]) {
      lines.push({ kind: " ", text: old[i]! });
      i++;
      j++;
    } else if (i < old.length && (j === young.length || common[i + 1]![j]! >= common[i]![j + 1]!)) {
      lines.push({ kind: "-", text: old[i++]! });
    } else {
      lines.push({ kind: "+", text: young[j++]! });
    }
  }
  return [...lines, ...before.slice(before.length - end).map((text): Line => ({ kind: " ", text }))];
}

/** Ranges of `lines`: the changes with their context, joined where they touch. */
function cutHunks(lines: readonly Line[]): [number, number][] {
  const hunks: [number, number][] = [];
  for (const [index, { kind }] of lines.entries()) {
    if (kind === " ") continue;
    const from = Math.max(0, index - contextLines);
    const to = Math.min(lines.length, index + contextLines + 1);
    const last = hunks.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  }
  return hunks;
}

function formatHunk(lines: readonly Line[], [from, to]: [number, number]): string {
  const count = (range: readonly Line[], not: Line["kind"]) =>
    range.filter(({ kind }) => kind !== not).length;
  const shown = lines.slice(from, to);
  const range = (not: Line["kind"]) => {
    const length = count(shown, not);
    // An empty range is named by the line before it.
    return `${count(lines.slice(0, from), not) + (length === 0 ? 0 : 1)},${length}`;
  };
  const body = shown.map(({ kind, text }) =>
    text.endsWith("\n") ? kind + text : `${kind}${text}\n\\ No newline at end of file\n`,
  );
  return `@@ -${range("+")} +${range("-")} @@\n${body.join("")}`;
}
