/** How deep arrays and objects are nested in a JSON text; 0 for a scalar. */
export function measureDepth(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') at = findStringEnd(json, at);
    else if (character === "{" || character === "[") deepest = Math.max(deepest, ++depth);
    else if (character === "}" || character === "]") depth -= 1;
  }
  return deepest;
}

/** Keys, as they are written, that a JSON text has twice in one object: JSON.parse takes the last and says nothing. */
export function findRepeatedKeys(json: string): string[] {
  const repeated = new Set<string>();
  const open: Set<string>[] = [];
  const colon = /\s*:/y;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === "{" || character === "[") open.push(new Set());
    else if (character === "}" || character === "]") open.pop();
    if (character !== '"') continue;
    const end = findStringEnd(json, at) + 1;
    colon.lastIndex = end;
    if (colon.test(json)) {
      const key: string = JSON.parse(json.slice(at, end));
      if (open.at(-1)?.has(key)) repeated.add(JSON.stringify(key));
      open.at(-1)?.add(key);
    }
    at = end - 1;
  }
  return [...repeated];
}

/** Why JSON.parse does not take a text. */
export function describeJsonFault(text: string, error: unknown): string {
  return text.startsWith("\ufeff")
    ? "it begins with a byte order mark (BOM); save it as UTF-8 without one"
    : (error as Error).message;
}

function findStringEnd(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

/** After an odd number of backslashes. */
function isEscaped(json: string, at: number): boolean {
  let before = at;
  while (json[before - 1] === "\\") before -= 1;
  return (at - before) % 2 === 1;
}

/**
 * A value as the JSON of a line, within the protocol's limits.
 * @throws Error saying what is wrong with it
 */
export function formatJson(value: unknown, limitBytes: number, limitDepth: number): string {
  const json = JSON.stringify(value ?? null);
  if (json === undefined) throw new TypeError(`a ${typeof value} is not JSON`);
  // Between braces and commas no quote is a text's own: JSON.stringify puts a backslash before those.
  if (/[{,]"__proto__":/.test(json)) throw new TypeError("it has a key __proto__");
  const bytes = Buffer.byteLength(json);
  if (bytes > limitBytes)
    throw new RangeError(`it has ${bytes} bytes as JSON, expected at most ${limitBytes}`);
  const depth = measureDepth(json);
  if (depth > limitDepth) throw new RangeError(`it is nested ${depth} deep, expected at most ${limitDepth}`);
  return json;
}
