import { readFileSync } from "node:fs";
import type { Realm } from "../realm/test-realm.ts";
import type { Case } from "./case.ts";

const PRELUDE = readFileSync(new URL("./prelude.js", import.meta.url), "utf8");
const KEYS = readFileSync(new URL("./keys.json", import.meta.url), "utf8");

/** Outcomes by the case's id: JSON texts that are equal when the outcomes are. */
export type Outcomes = Map<string, string>;

/** The cases as one script whose value is a list of functions, each a promise of one outcome. */
function toScript(cases: readonly Case[]): string {
  const functions = cases.map(({ program }) => `() => prelude.outcome(async () => {\n${program}\n})`);
  return `{
    const prelude = ${PRELUDE}
    const { hex, toHex } = prelude;
    const { subtle } = crypto;
    const keys = ${KEYS};
    [${functions.join(",\n")}];
  }`;
}

/** Runs the cases one after the other in a realm. */
export async function runCases(realm: Realm, cases: readonly Case[]): Promise<Outcomes> {
  const programs = realm.evaluate(toScript(cases)) as (() => Promise<string>)[];
  const outcomes: Outcomes = new Map();
  for (const [index, { id }] of cases.entries()) {
    outcomes.set(id, await programs[index]!());
  }
  return outcomes;
}
