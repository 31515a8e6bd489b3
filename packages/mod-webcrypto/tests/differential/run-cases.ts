import { readFileSync } from "node:fs";
import type { RunnerProcess } from "../native/runner-process.ts";
import type { Realm } from "../realm/test-realm.ts";
import type { Case } from "./case.ts";

const PRELUDE = readFileSync(new URL("./prelude.js", import.meta.url), "utf8");
const KEYS = readFileSync(new URL("./keys.json", import.meta.url), "utf8");

/** Outcomes by the case's id: JSON texts that are equal when the outcomes are. */
export type Outcomes = Map<string, string>;

/** Declarations, and a list of functions, each a promise of one outcome. */
function compose(cases: readonly Case[]): { declarations: string; list: string } {
  const functions = cases.map(({ program }) => `() => prelude.outcome(async () => {\n${program}\n})`);
  const declarations = `
    const prelude = ${PRELUDE}
    const { hex, toHex } = prelude;
    const { subtle } = crypto;
    const keys = ${KEYS};`;
  return { declarations, list: `[${functions.join(",\n")}]` };
}

/** The cases as one script whose value is the list. */
function toScript(cases: readonly Case[]): string {
  const { declarations, list } = compose(cases);
  return `{ ${declarations} ${list}; }`;
}

/** The cases as a module whose default export returns their outcomes. */
function toModule(cases: readonly Case[]): string {
  const { declarations, list } = compose(cases);
  return `${declarations}
    export default async () => {
      const outcomes = [];
      for (const run of ${list}) outcomes.push(await run());
      return outcomes;
    };`;
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

/** Runs the cases one after the other in one callback of the mod runner. */
export async function runCasesInRunner(runner: RunnerProcess, cases: readonly Case[]): Promise<Outcomes> {
  const outcomes = (await runner.evaluate(toModule(cases))) as string[];
  return new Map(cases.map(({ id }, index) => [id, outcomes[index]!]));
}
