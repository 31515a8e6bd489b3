import { expect, test } from "vitest";
import type { Manifest } from "../pack/manifest.ts";
import { type Gate, gateNames } from "./gate.ts";
import { requireGated } from "./require-gated.ts";
import { requireGatesPassed, runGates } from "./run-gates.ts";

const pkg = { name: "a", version: "1.0.0", integrity: "sha512-a" };
const manifest = { version: 1, commit: "c", dirty: false, packages: [pkg] } as unknown as Manifest;
const context = { now: () => new Date(0), signal: new AbortController().signal };
const good: Gate = { name: "good", run: async () => [] };
const bad = (name: string, message: string): Gate => ({
  name,
  run: async () => [{ package: "a", message, hint: `mend ${name}` }],
});

test("every gate runs, whatever the ones before found, and the failure shows all of it", async () => {
  const report = await runGates(context, [bad("first", "one\ntwo"), good, bad("last", "three")], manifest);
  expect(report.gates.map(({ name, status }) => [name, status])).toEqual([
    ["first", "failed"],
    ["good", "passed"],
    ["last", "failed"],
  ]);
  expect(() => requireGatesPassed(report)).toThrow(
    [
      "2 of 3 gates found something; nothing has been published",
      "  first  a  one",
      "            two",
      "            → mend first",
      "  last   a  three",
      "            → mend last",
    ].join("\n"),
  );
});

test("what the gates have not seen is not released", async () => {
  const all = gateNames.map((name) => ({ ...good, name }));
  const report = await runGates(context, all, manifest);
  expect(() => requireGated(manifest, report)).not.toThrow();
  const some = await runGates(context, all.slice(2), manifest);
  expect(() => requireGated(manifest, some)).toThrow("the gates manifest, publint have not run");
  const other = { ...manifest, packages: [{ ...pkg, integrity: "sha512-b" }] } as unknown as Manifest;
  expect(() => requireGated(other, report)).toThrow("the gates have not seen these bytes of a");
});
