/** A program that runs unchanged in every realm, and the name under which its outcome is compared. */
export interface Case {
  /** Says what is tried; unique. */
  readonly id: string;
  /**
   * The body of an async function that returns what it observed. In scope besides the realm's globals:
   * `subtle`, `keys` (JWKs), and `hex` and `toHex` of the prelude.
   */
  readonly program: string;
}

/** A value as JavaScript source. `Code` stays as it is. */
function source(value: unknown): string {
  if (value instanceof Code) {
    return value.text;
  }
  if (value === undefined) {
    return "undefined";
  }
  if (Array.isArray(value)) {
    return `[${value.map(source).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{ ${members.map(([name, member]) => `${JSON.stringify(name)}: ${source(member)}`).join(", ")} }`;
  }
  return JSON.stringify(value);
}

/** Source to be put into a program unquoted. */
export class Code {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function code(text: string): Code {
  return new Code(text);
}

/** Bytes that look random and are the same each time. */
export function someBytes(length: number, seed = 1): Code {
  let state = (seed * 2_654_435_761 + length) >>> 0;
  let text = "";
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += (state >>> 24).toString(16).padStart(2, "0");
  }
  return code(`hex("${text}")`);
}

/** `subtle.method(…)`, its arguments as source. */
export function call(method: string, ...args: unknown[]): string {
  return `subtle.${method}(${args.map(source).join(", ")})`;
}

/** Every combination of one item from each list. */
export function combinations<const T extends readonly (readonly unknown[])[]>(
  ...lists: T
): { [index in keyof T]: T[index][number] }[] {
  return lists.reduce<unknown[][]>(
    (rows, list) => rows.flatMap((row) => list.map((item) => [...row, item])),
    [[]],
  ) as { [index in keyof T]: T[index][number] }[];
}

export const HASHES = ["SHA-1", "SHA-256", "SHA-384", "SHA-512"] as const;
export const CURVES = ["P-256", "P-384", "P-521"] as const;
