import icons from "./icons.json" with { type: "json" };

export function formatModel(model: string): string {
  return `${icons.model} ${model}`;
}

/** `/home/me/work/project` → `…/work/project`: whole names from the end, at most `length` characters. */
export function shortenPath(path: string, length: number): string {
  if (path.length <= length) return path;
  const names = path.split("/");
  let text = names.pop() ?? "";
  for (
    let name = names.pop();
    name !== undefined && text.length + name.length + 3 <= length;
    name = names.pop()
  ) {
    text = `${name}/${text}`;
  }
  return `…/${text}`;
}

/** `5.0k of 20.0k (25 %)` */
export function formatContext(used: number, max: number): string {
  const percent = max === 0 ? 0 : Math.round((used / max) * 100);
  return `${icons.context} ${formatTokens(used)} of ${formatTokens(max)} (${percent} %)`;
}

function formatTokens(count: number): string {
  return count < 1000 ? String(count) : `${(count / 1000).toFixed(1)}k`;
}
