/**
 * What is wrong with a value that JSON.parse made: it is nested deeper than `depth`, or has a key
 * `__proto__`, which a careless reader would take for a prototype.
 */
export function findJsonFault(value: unknown, depth: number): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === 0) return "more nesting than is allowed";
  if (!Array.isArray(value) && Object.hasOwn(value, "__proto__")) return "a key __proto__";
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    const fault = findJsonFault(inner, depth - 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
