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
  const bytes = Buffer.byteLength(json);
  if (bytes > limitBytes)
    throw new RangeError(`it has ${bytes} bytes as JSON, expected at most ${limitBytes}`);
  const depth = measureDepth(json);
  if (depth > limitDepth) throw new RangeError(`it is nested ${depth} deep, expected at most ${limitDepth}`);
  return json;
}
