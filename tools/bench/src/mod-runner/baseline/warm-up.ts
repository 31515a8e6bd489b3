import { stripTypeScriptTypes } from "node:module";

/** Has what most mods have: the stripper compiles its own code when it first needs it. */
const sample = `
import type { A } from "./a.ts";
interface B<T> { a: T; b?: number | undefined }
type C = Record<string, B<string>>;
export default async function f<T extends C>(input: T, host: { call(x: string): Promise<unknown> }): Promise<number> {
  const values = (await host.call("x")) as readonly number[];
  return values.map((value: number): number => value! + 1).length satisfies number;
}
`;

/** Loads the stripper, which takes longer than all the rest of a start. */
export function loadStripper(): void {
  stripTypeScriptTypes("");
}

/** What a callback would wait for otherwise, done while there is none. */
export function warmStripper(): void {
  stripTypeScriptTypes(sample);
}
